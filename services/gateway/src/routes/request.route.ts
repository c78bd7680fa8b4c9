// The input of the handlers of the route table: the validated request, and its caller.
import type { CallContext } from '@kiln/contracts';
import type { Request } from 'express';
import type { RequestIds } from '../idempotency/request-ids.domain.js';
import type { Caller, KeyCaller, PortalCaller } from '../auth/caller.domain.js';

/** The input of every handler. */
interface ReadRequest<Params, Query> {
  readonly params: Params;
  readonly query: Query;
}

/** The input of handlers of public rows. */
export interface PublicRequest<Params, Query, Body = undefined> extends ReadRequest<Params, Query> {
  readonly body: Body;
  /** The context for calls to services, for rows whose path carries a signed token that names the tenant. */
  readonly contextFor: (tenantId: string) => CallContext;
  /** The HTTP request itself, for handlers that read a stream. */
  readonly http: Request;
}

/** The input of handlers of rows behind a key. */
export interface RouteRequest<Params, Query, Body> extends ReadRequest<Params, Query> {
  readonly body: Body;
  readonly caller: KeyCaller;
  readonly context: CallContext;
  /** Chooses the ids of the things that the request makes. */
  readonly ids: RequestIds;
  /** The HTTP request itself, for handlers that read a stream. */
  readonly http: Request;
}

/** The input of handlers of rows behind a portal token. */
export interface PortalRequest<Params, Query, Body = undefined> extends ReadRequest<Params, Query> {
  readonly body: Body;
  readonly caller: PortalCaller;
  /** The only space that the holder may read. */
  readonly space: string;
  readonly context: CallContext;
  readonly http: Request;
}

/** The input of handlers of rows that keys and portal tokens open. */
export interface SharedRequest<Params, Query, Body = undefined> extends ReadRequest<Params, Query> {
  readonly body: Body;
  readonly caller: Caller;
  readonly context: CallContext;
  readonly http: Request;
}
