// Creates, lists and revokes the API keys of an organization, and decides what one key may do to others.
import {
  badRequest,
  CodedError,
  decodeCursor,
  formatTimestamp,
  idSchema,
  notFound,
  pageOf,
  type apiKeyQuerySchema,
  type newApiKeySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { newApiKey } from './api-key.domain.js';
import { holdsScope, type KeyCaller } from '../auth/caller.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import type { ApiKey } from './api-key.store.js';

type NewApiKey = z.output<typeof newApiKeySchema>;

export async function createApiKey(
  { body, caller, ids }: RouteRequest<object, object, NewApiKey>,
  { apiKeys }: GatewayServices,
) {
  assertMayCreate(caller, body);
  const expires_at = body.expires_at ?? null;
  if (expires_at && expires_at.getTime() <= Date.now()) throw badRequest('expires_at must be in the future');
  const { value, fingerprint } = newApiKey(body.mode);
  const created = await apiKeys.create(caller.organizationId, fingerprint, {
    // A repeat with other credentials must not replace the key of the first attempt.
    id: ids.uuid(`key ${caller.principal}`),
    name: body.name,
    scopes: body.scopes,
    expires_at,
  });
  const { last_used_at: _never, ...view } = viewOf(created);
  return { ...view, key: value };
}

const cursorValues = z.tuple([idSchema('key')]);

export async function listApiKeys(
  { query, caller }: RouteRequest<object, z.output<typeof apiKeyQuerySchema>>,
  { apiKeys }: GatewayServices,
) {
  const list = `api_keys:${caller.organizationId}`;
  const afterId = query.cursor === undefined ? null : decodeCursor(list, query.cursor, cursorValues)[0];
  const keys = await apiKeys.list(caller.organizationId, { limit: query.limit + 1, afterId });
  const { limit } = query;
  const page = pageOf(keys, { limit, scope: list, view: viewOf, keyset: ({ id }) => [id] });
  return { api_keys: page.items, next_cursor: page.next_cursor };
}

export async function deleteApiKey(
  { params, caller }: RouteRequest<{ id: string }, object>,
  { apiKeys, revocations }: GatewayServices,
) {
  // The key is looked up first, because a mark in Redis would revoke the key of any organization.
  const key = await apiKeys.find(caller.organizationId, params.id);
  if (!key) throw notFound();
  if (caller.mode === 'test' && key.mode === 'live') {
    throw new CodedError('FORBIDDEN', 'A test key cannot revoke a live key. Use a live key.');
  }
  // If two requests run at the same time, one revokes the key, and the other gets 404.
  const revoke = () => apiKeys.revoke(caller.organizationId, params.id);
  if (!(await revocations.end(params.id, revoke))) throw notFound();
  return { deleted: true as const };
}

/** A key cannot create a key with more scopes than it has, or with a later expiry. Throws FORBIDDEN. */
function assertMayCreate(caller: KeyCaller, key: NewApiKey): void {
  const lacking = key.scopes.filter((scope) => !holdsScope(caller, scope));
  if (lacking.length > 0) {
    const named = lacking.join(', ');
    throw new CodedError('FORBIDDEN', `A key cannot be made with scopes its maker lacks: ${named}. Name fewer scopes.`);
  }
  if (caller.mode === 'test' && key.mode === 'live') {
    throw new CodedError('FORBIDDEN', 'A test key cannot make a live key. Send mode test, or use a live key.');
  }
  const { expiresAt } = caller;
  if (expiresAt && !(key.expires_at && key.expires_at <= expiresAt)) {
    const message = `A key cannot make a key that outlives it. Send expires_at, ${expiresAt.toISOString()} at the latest.`;
    throw new CodedError('FORBIDDEN', message);
  }
}

const viewOf = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  mode: key.mode,
  expires_at: key.expires_at && formatTimestamp(key.expires_at),
  last_used_at: key.last_used_at && formatTimestamp(key.last_used_at),
  created_at: formatTimestamp(key.created_at),
});
