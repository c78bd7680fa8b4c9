// The input of the handlers of the route table: the validated request, and its caller.
import type { CallContext } from '@kiln/contracts';
import type { Request } from 'express';
import type { RequestIds } from '../idempotency/request-ids.domain.js';
import type { Caller, KeyCaller } from '../auth/caller.domain.js';

interface ValidatedRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The HTTP request itself, for handlers that read a stream. */
  readonly http: Request;
}

/** The input of handlers of public rows. */
export interface PublicRequest<Params, Query, Body = undefined> extends ValidatedRequest<Params, Query, Body> {
  /** The context for calls to services, for rows whose path carries a signed token that names the tenant. */
  readonly contextFor: (tenantId: string) => CallContext;
}

/** The input of handlers of rows behind credentials: a key, a portal token, or either. */
export interface RouteRequest<
  Params,
  Query,
  Body = undefined,
  From extends Caller = KeyCaller,
> extends ValidatedRequest<Params, Query, Body> {
  readonly caller: From;
  readonly context: CallContext;
  /** Chooses the ids of the things that the request makes. */
  readonly ids: RequestIds;
}
