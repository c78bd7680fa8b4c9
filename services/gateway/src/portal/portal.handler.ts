// Creates, lists, verifies and revokes portal tokens.
import {
  decodeCursor,
  formatTimestamp,
  idSchema,
  notFound,
  pageOf,
  type newPortalTokenSchema,
  type portalTokenQuerySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { Reply } from '../routes/reply.domain.js';
import type { PublicRequest, RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { isPortalTokenPrefix, newPortalToken, portalTokenFingerprint } from './portal-token.domain.js';
import type { PortalToken } from './portal-token.store.js';

/** Caches must not store whether a token is valid. */
const headers = { 'Cache-Control': 'no-store' };

export async function createPortalToken(
  { body, caller }: RouteRequest<object, object, z.output<typeof newPortalTokenSchema>>,
  { portalTokens }: GatewayServices,
) {
  const { space, ttl } = body;
  const { value: token, fingerprint } = newPortalToken();
  const expiresAt = await portalTokens.create(caller, { ...fingerprint, space, ttlSeconds: ttl });
  return { token, expires_at: formatTimestamp(expiresAt), space };
}

export async function verifyPortalToken(
  { params }: PublicRequest<{ token: string }, object>,
  { portalTokens }: GatewayServices,
) {
  const fingerprint = portalTokenFingerprint(params.token);
  const found = fingerprint && (await portalTokens.find(fingerprint.hash));
  const json = found
    ? { valid: true, space: found.caller.space, expires_at: formatTimestamp(found.expiresAt) }
    : { valid: false, space: null, expires_at: null };
  return new Reply({ json, headers });
}

const cursorValues = z.tuple([idSchema('portalToken')]);

export async function listPortalTokens(
  { query: { limit, cursor }, caller }: RouteRequest<object, z.output<typeof portalTokenQuerySchema>>,
  { portalTokens }: GatewayServices,
) {
  const list = `portal_tokens:${caller.tenantId}`;
  const afterId = cursor === undefined ? null : decodeCursor(list, cursor, cursorValues)[0];
  const tokens = await portalTokens.list(caller.tenantId, { limit: limit + 1, afterId });
  const page = pageOf(tokens, { limit, scope: list, view: viewOf, keyset: ({ id }) => [id] });
  return { tokens: page.items, next_cursor: page.next_cursor };
}

const viewOf = ({ prefix, space, created_at, expires_at, key_id }: PortalToken) => ({
  prefix,
  space,
  created_at: formatTimestamp(created_at),
  expires_at: formatTimestamp(expires_at),
  key_id,
});

export async function deletePortalToken(
  { params, caller }: RouteRequest<{ token: string }, object>,
  { portalTokens }: GatewayServices,
) {
  const { token } = params;
  const named = portalTokenFingerprint(token) ?? (isPortalTokenPrefix(token) ? { prefix: token } : null);
  if (!named || !(await portalTokens.revoke(caller.tenantId, named))) throw notFound();
  return { deleted: true as const };
}
