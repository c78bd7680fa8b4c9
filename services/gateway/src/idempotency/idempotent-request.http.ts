// Derives from an HTTP request the work that its Idempotency-Key guards.
import type { Request } from 'express';
import type { AdmittedRequest } from '../auth/admission.http.js';
import type { Caller } from '../auth/caller.domain.js';
import { stateOf } from '../http/request-state.http.js';
import type { Route } from '../routes/kinds.route.js';
import { measureUpload } from '../upload/multipart.http.js';
import { fingerprintOf } from './fingerprint.domain.js';
import { idempotencyKeyOf } from './idempotency-key.domain.js';
import type { IdempotentRequest } from './idempotency.service.js';

/** The key of a POST by a known caller, or null. Throws BAD_REQUEST for one that is too short or too long. */
export function keyOf(route: Route, request: Request, caller: Caller | null): string | null {
  if (route.method !== 'POST' || caller === null) return null;
  // Answers are kept per tenant, but a portal token sees only one space of it. Its only POST requests are searches and questions.
  if (caller.authType === 'portal_token') return null;
  return idempotencyKeyOf(request.headers['idempotency-key']);
}

export function idempotentRequest(
  { key, caller, route, request, response, params, query }: AdmittedRequest & { key: string; caller: Caller },
  body: unknown,
  uploadBytesMax: number,
  run: IdempotentRequest['run'],
): IdempotentRequest {
  // A secret is repeated to the same credentials only. Two bearer tokens of a subject can have different scopes.
  const { principal } = caller;
  const scopes = caller.authType === 'portal_token' ? [] : caller.scopes.toSorted();
  const multipart = body === undefined && request.is('multipart/form-data');
  return {
    key,
    tenantId: caller.tenantId,
    route: route.name,
    run,
    fingerprint: async (when) => {
      if (!multipart) return fingerprintOf({ params, query, body, ...(route.secret && { principal, scopes }) });
      const upload = when === 'after run' ? stateOf(request).upload : await measureUpload(request, uploadBytesMax);
      // A refused upload has no digest. Boundaries and the order of parts do not matter.
      return upload && fingerprintOf({ fields: upload.fields, sha256: upload.sha256 });
    },
    onReplay: () => response.set('Idempotency-Replayed', 'true'),
  };
}
