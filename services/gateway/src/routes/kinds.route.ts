// A row of the route table. It defines an endpoint completely: registration, validation, OpenAPI, metric labels, boot-time checks and
// the fakes of tests are derived from it.
import type { Operation, Scope } from '@kiln/contracts';
import type { z } from 'zod';
import type { GatewayServices } from '../services.port.js';
import type { PortalRequest, PublicRequest, RouteRequest, SharedRequest } from './request.route.js';
import type { Answer, Output, RowBase } from './row-base.route.js';

export type { Method } from './row-base.route.js';

interface PublicRow<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends z.ZodType,
> extends RowBase<Params, Query, Body> {
  readonly stack: 'public';
  readonly scope: null;
  readonly response: Response;
  readonly handler: (
    request: PublicRequest<Output<Params>, Output<Query>, Output<Body>>,
    services: GatewayServices,
  ) => Promise<Answer<Response>> | Answer<Response>;
  readonly operation?: undefined;
}

interface KeyRow<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> extends RowBase<
  Params,
  Query,
  Body
> {
  readonly stack: 'key';
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

interface OperationRow<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Op extends Operation,
> extends KeyRow<Params, Query, Body> {
  readonly operation: Op;
  readonly input: (
    request: RouteRequest<Output<Params>, Output<Query>, Output<Body>>,
    services: Pick<GatewayServices, 'quota'>,
  ) => z.input<Op['input']>;
  readonly handler?: undefined;
  readonly followUp?: undefined;
  readonly response?: undefined;
}

interface HandlerRow<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends z.ZodType,
  ReadBody = Output<Body>,
> extends KeyRow<Params, Query, Body> {
  readonly response: Response;
  /** A second form of body, which the handler reads from the stream; `body` is then undefined. */
  readonly multipart?: z.ZodObject;
  readonly handler: (
    request: RouteRequest<Output<Params>, Output<Query>, ReadBody>,
    services: GatewayServices,
  ) => Promise<Answer<Response>> | Answer<Response>;
  /** Adds to the answer, also to one that an Idempotency-Key repeats (http/follow-up.http.ts). */
  readonly followUp?: (
    answer: unknown,
    request: Pick<RouteRequest<object, Output<Query>, undefined>, 'query' | 'context' | 'http'>,
    services: GatewayServices,
  ) => Promise<unknown>;
  readonly operation?: undefined;
}

interface PortalRow<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends z.ZodType,
> extends RowBase<Params, Query, Body> {
  readonly stack: 'portal';
  readonly scope: null;
  readonly response: Response;
  readonly handler: (
    request: PortalRequest<Output<Params>, Output<Query>, Output<Body>>,
    services: GatewayServices,
  ) => Promise<Answer<Response>> | Answer<Response>;
  readonly operation?: undefined;
}

interface SharedRow<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends z.ZodType,
> extends RowBase<Params, Query, Body> {
  readonly stack: 'shared';
  /** The scope that a key must have; null if the handler checks the scopes. */
  readonly scope: Scope | null;
  readonly response: Response;
  readonly handler: (
    request: SharedRequest<Output<Params>, Output<Query>, Output<Body>>,
    services: GatewayServices,
  ) => Promise<Answer<Response>> | Answer<Response>;
  readonly operation?: undefined;
}

/** A row with its types erased, as the table holds it. */
export type Route =
  | PublicRow<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>
  | PortalRow<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>
  | SharedRow<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>
  | OperationRow<z.ZodObject, z.ZodObject, z.ZodType, Operation>
  | HandlerRow<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>;

type NoFields = z.ZodObject<Record<string, never>>;

/** A row that needs no credentials. */
export function publicRoute<
  Response extends z.ZodType,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(row: Omit<PublicRow<Params, Query, Body, Response>, 'stack' | 'scope'>): Route {
  return Object.freeze({ ...row, stack: 'public', scope: null }) as unknown as Route;
}

/** A row for holders of a portal token. */
export function portalRoute<
  Response extends z.ZodType,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(row: Omit<PortalRow<Params, Query, Body, Response>, 'stack' | 'scope'>): Route {
  return Object.freeze({ ...row, stack: 'portal', scope: null }) as unknown as Route;
}

/** A row for holders of a key with the scope, and of a portal token. */
export function sharedRoute<
  Response extends z.ZodType,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(row: Omit<SharedRow<Params, Query, Body, Response>, 'stack'>): Route {
  return Object.freeze({ ...row, stack: 'shared' }) as unknown as Route;
}

/** A row that forwards to one operation; the operation's output is the response. */
export function operationRoute<
  Op extends Operation,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(row: Omit<OperationRow<Params, Query, Body, Op>, 'stack'>): Route {
  return Object.freeze({ ...row, stack: 'key' }) as unknown as Route;
}

/** A row with its own handler: for a stream, or for a response that combines several calls. */
export function handlerRoute<
  Response extends z.ZodType,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = z.ZodUndefined,
>(row: Omit<HandlerRow<Params, Query, Body, Response>, 'stack' | 'multipart'>): Route {
  return Object.freeze({ ...row, stack: 'key' }) as unknown as Route;
}

/** A row whose body comes as JSON or as multipart. */
export function multipartRoute<Body extends z.ZodType, Response extends z.ZodType, Query extends z.ZodObject>(
  row: Omit<HandlerRow<NoFields, Query, Body, Response, Output<Body> | undefined>, 'stack'>,
): Route {
  return Object.freeze({ ...row, stack: 'key' }) as unknown as Route;
}
