// Admits a request by the stack of its row.
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type { Admission } from '../auth/admission.service.js';
import { credentialsOf } from '../auth/authorization-header.domain.js';
import type { Caller } from '../auth/caller.domain.js';
import type { Route } from '../routes/kinds.route.js';
import { stateOf } from './request-state.http.js';

/** A request that was admitted, with its path and query validated. */
export interface AdmittedRequest {
  route: Route;
  request: Request;
  response: Response;
  caller: Caller | null;
  /** Its Idempotency-Key. */
  key: string | null;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** The stacks: `public` needs no credentials, `portal` a portal token, `key` an API key or bearer token with the row's scopes, `shared` either. */
export async function admit(
  route: Route,
  request: Request,
  response: Response,
  admission: Admission,
): Promise<Caller | null> {
  if (route.stack === 'public') return null;
  const state = stateOf(request);
  const onCaller = (caller: Caller) => (state.caller = caller);
  const admitted = { authorization: request.headers.authorization, response, onCaller };
  const isPortal = route.stack === 'portal' || (route.stack === 'shared' && holdsPortalToken(request.headers));
  return isPortal ? admission.portal(admitted) : admission.key(admitted, route);
}

const holdsPortalToken = ({ authorization }: IncomingHttpHeaders) =>
  authorization !== undefined && credentialsOf(authorization)?.scheme === 'portaltoken';
