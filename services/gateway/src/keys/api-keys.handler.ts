// An organization's API keys: made, listed, revoked. What a key may do to other keys is decided here.
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
import { fingerprintOf, newApiKey } from '../auth/api-key.js';
import { holdsScope, type KeyCaller } from '../auth/caller.js';
import type { RouteRequest } from '../routes/route.js';
import type { GatewayServices } from '../services.js';
import type { ManagedKey } from './managed-keys.store.js';

type NewApiKey = z.output<typeof newApiKeySchema>;

export async function createApiKey(
  { body, caller }: RouteRequest<object, object, NewApiKey>,
  { managedKeys }: GatewayServices,
) {
  assertMayCreate(caller, body);
  const expiresAt = body.expires_at ?? null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw badRequest('expires_at: must be in the future');
  const value = newApiKey(body.mode);
  const fingerprint = fingerprintOf(value);
  if (!fingerprint) throw new Error('a new key does not look like one');
  const created = await managedKeys.create(caller.organizationId, fingerprint, { ...body, expiresAt });
  const { last_used_at: _never, ...view } = viewOf(created);
  return { ...view, key: value };
}

const cursorValues = z.tuple([idSchema('key')]);

export async function listApiKeys(
  { query, caller }: RouteRequest<object, z.output<typeof apiKeyQuerySchema>, undefined>,
  { managedKeys }: GatewayServices,
) {
  const list = `api_keys:${caller.organizationId}`;
  const afterId = query.cursor === undefined ? null : decodeCursor(list, query.cursor, cursorValues)[0];
  const keys = await managedKeys.list(caller.organizationId, { limit: query.limit + 1, afterId });
  const { limit } = query;
  const page = pageOf(keys, { limit, scope: list, view: viewOf, keyset: ({ id }) => [id] });
  return { api_keys: page.items, next_cursor: page.next_cursor };
}

export async function deleteApiKey(
  { params, caller }: RouteRequest<{ id: string }, object, undefined>,
  { managedKeys, revocations }: GatewayServices,
) {
  // Only the organization's own: a mark ends a key, whoever set it.
  const key = await managedKeys.find(caller.organizationId, params.id);
  if (!key) throw notFound();
  if (caller.mode === 'test' && key.mode === 'live') {
    throw new CodedError('FORBIDDEN', 'A test key can not revoke a live key. Use a live key.');
  }
  // Of two callers at once, one has revoked it and the other finds nothing.
  const revoke = () => managedKeys.revoke(caller.organizationId, params.id);
  if (!(await revocations.end(params.id, revoke))) throw notFound();
  return { deleted: true as const };
}

/** Nobody makes a key that can do more than they can. Throws FORBIDDEN. */
function assertMayCreate(caller: KeyCaller, key: NewApiKey): void {
  const lacking = key.scopes.filter((scope) => !holdsScope(caller, scope));
  if (lacking.length > 0) {
    const named = lacking.join(', ');
    throw new CodedError(
      'FORBIDDEN',
      `A key can not be made with scopes its maker lacks: ${named}. Name fewer scopes.`,
    );
  }
  if (caller.mode === 'test' && key.mode === 'live') {
    throw new CodedError('FORBIDDEN', 'A test key can not make a live key. Send mode test, or use a live key.');
  }
}

const viewOf = (key: ManagedKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  mode: key.mode,
  expires_at: key.expiresAt && formatTimestamp(key.expiresAt),
  last_used_at: key.lastUsedAt && formatTimestamp(key.lastUsedAt),
  created_at: formatTimestamp(key.createdAt),
});
