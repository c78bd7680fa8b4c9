// A row of the route table. It defines an endpoint completely: registration, validation, OpenAPI, metric labels, boot-time checks and
// the fakes of tests are derived from it.
import type { Operation, Scope } from '@kiln/contracts';
import type { z } from 'zod';
import type { Caller, PortalCaller } from '../auth/caller.domain.js';
import type { GatewayServices } from '../services.port.js';
import type { PublicRequest, RouteRequest } from './request.route.js';
import type { Answer, RowBase } from './row-base.route.js';

/** A row with its own handler: for a stream, or for a response that combines several calls. */
interface Handled<Response extends z.ZodType, Request> {
  readonly response: Response;
  readonly handler: (request: Request, services: GatewayServices) => Promise<Answer<Response>> | Answer<Response>;
  readonly operation?: undefined;
}

/** A row that forwards to one operation. The operation's output is the response. */
interface Forwarded<Op extends Operation> {
  readonly operation: Op;
  readonly handler?: undefined;
  readonly response?: undefined;
}

/** Makes the input of the operation. By default it is the members of query, body and params together. */
type MakeInput<Op extends Operation, Request> = (
  request: Request,
  services: Pick<GatewayServices, 'quota'>,
) => z.input<Op['input']>;

/** An operation whose input has no members accepts any. */
type Accepted<Op extends Operation> =
  z.input<Op['input']> extends Record<string, never> ? object : z.input<Op['input']>;

type InputOf<Op extends Operation, Request, Together> =
  Together extends Accepted<Op>
    ? { readonly input?: MakeInput<Op, Request> }
    : { readonly input: MakeInput<Op, Request> };

interface KeyAccess {
  /** The scope that the key must have; null if authentication is enough. */
  readonly scope: Scope | null;
  /** Scopes that the key must have beside `scope`, because the response passes them on. */
  readonly alsoNeeds?: readonly Scope[];
  /**
   * The resource belongs to the organization in both modes. Services are called as its live tenant, whatever the mode of the key.
   */
  readonly ofOrganization?: true;
  /**
   * The handler decides what test credentials may change. A row of the organization without this refuses every change by them, because
   * live data uses what it changes.
   */
  readonly checksMode?: true;
}

interface KeyHandling<Query> {
  /** A second form of body, which the handler reads from the stream; `body` is then undefined. */
  readonly multipart?: z.ZodObject;
  /** Adds to the answer, also to one that an Idempotency-Key repeats. The memory of an upload is free by then. */
  readonly followUp?: (
    answer: unknown,
    request: Pick<RouteRequest<object, Query>, 'query' | 'caller' | 'context' | 'http'>,
    services: GatewayServices,
  ) => Promise<unknown>;
}

interface SharedAccess {
  /** The scope that a key must have; null if the handler checks the scopes. */
  readonly scope: Scope | null;
}

/** Who may send the requests of a row: what its handler receives, and what the row says beside its handler. */
interface Stacks<Params, Query, Body> {
  /** Anyone. */
  public: { request: PublicRequest<Params, Query, Body>; access: unknown };
  /** The holder of a portal token. */
  portal: { request: RouteRequest<Params, Query, Body, PortalCaller>; access: unknown };
  /** The holder of a key with the scope, or of a portal token. */
  shared: { request: RouteRequest<Params, Query, Body, Caller>; access: SharedAccess };
  /** The holder of a key with the scope. */
  key: { request: RouteRequest<Params, Query, Body>; access: KeyAccess & KeyHandling<Query> };
}

type Stack = keyof Stacks<unknown, unknown, unknown>;
type Fields = Record<string, unknown>;
type Erased = Stacks<Fields, Fields, unknown>;
type ErasedRow<Of extends Stack> = RowBase<z.ZodObject, z.ZodObject, z.ZodType> & { readonly stack: Of };

/** A row with its types erased, as the table holds it. */
export type Route =
  | (ErasedRow<'public'> & { readonly scope: null } & Handled<z.ZodType, Erased['public']['request']>)
  | (ErasedRow<'portal'> & { readonly scope: null } & (
        | Handled<z.ZodType, Erased['portal']['request']>
        | Forwarded<Operation>
      ))
  | (ErasedRow<'shared'> & SharedAccess & Handled<z.ZodType, Erased['shared']['request']>)
  | (ErasedRow<'key'> & Erased['key']['access'] & Handled<z.ZodType, Erased['key']['request']>)
  | (ErasedRow<'key'> &
      Erased['key']['access'] &
      Forwarded<Operation> & { readonly input?: MakeInput<Operation, Erased['key']['request']> });

type NoFields = z.ZodObject<Record<string, never>>;
/** What the part of a request adds to the input of an operation. */
type Members<Part extends z.ZodType> = Part extends NoFields | z.ZodUndefined ? object : z.output<Part>;

const handlerRouteOf =
  <Of extends Stack>(stack: Of) =>
  <
    Response extends z.ZodType,
    Params extends z.ZodObject = NoFields,
    Query extends z.ZodObject = NoFields,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    row: RowBase<Params, Query, Body> &
      Stacks<z.output<Params>, z.output<Query>, z.output<Body>>[Of]['access'] &
      Handled<Response, Stacks<z.output<Params>, z.output<Query>, z.output<Body>>[Of]['request']>,
  ): Route =>
    Object.freeze({ scope: null, ...row, stack }) as unknown as Route;

/** Rows with a handler of their own, by who may send their requests. */
export const publicRoute = handlerRouteOf('public');
export const portalRoute = handlerRouteOf('portal');
export const sharedRoute = handlerRouteOf('shared');
export const handlerRoute = handlerRouteOf('key');

/** A row for holders of a key that forwards to one operation. */
export function operationRoute<
  Op extends Operation,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(
  row: RowBase<Params, Query, Body> &
    KeyAccess &
    Forwarded<Op> &
    InputOf<
      Op,
      RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
      Members<Params> & Members<Query> & Members<Body>
    >,
): Route {
  return Object.freeze({ ...row, stack: 'key' }) as unknown as Route;
}

/** A row for holders of a portal token that forwards to one operation, with the space of the token. */
export function portalOperationRoute<
  Op extends Operation,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
>(
  row: RowBase<Params, Query, z.ZodUndefined> &
    Forwarded<Op> &
    (Members<Params> & Members<Query> & { space: string } extends z.input<Op['input']> ? unknown : never),
): Route {
  return Object.freeze({ ...row, stack: 'portal', scope: null }) as unknown as Route;
}
