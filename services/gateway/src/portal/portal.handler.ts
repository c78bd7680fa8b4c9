// Creates, verifies and revokes portal tokens, and serves what their holders may read.
import {
  filesOperations,
  formatTimestamp,
  notFound,
  searchOperations,
  type newPortalTokenSchema,
  type OperationInput,
} from '@kiln/contracts';
import type { z } from 'zod';
import { Reply } from '../routes/reply.js';
import type { PortalRequest, PublicRequest, RouteRequest } from '../routes/route-request.js';
import type { GatewayServices } from '../services.js';
import { newPortalToken, portalTokenHash } from './portal-token.js';

/** Caches must not store whether a token is valid. */
const headers = { 'Cache-Control': 'no-store' };

export async function createPortalToken(
  { body, caller }: RouteRequest<object, object, z.output<typeof newPortalTokenSchema>>,
  { portalTokens }: GatewayServices,
) {
  const { space, ttl } = body;
  const token = newPortalToken();
  const expiresAt = await portalTokens.create(caller, { hash: hashOf(token), space, ttlSeconds: ttl });
  return { token, expires_at: formatTimestamp(expiresAt), space };
}

export async function verifyPortalToken(
  { params }: PublicRequest<{ token: string }, object>,
  { portalTokens }: GatewayServices,
) {
  const hash = portalTokenHash(params.token);
  const found = hash && (await portalTokens.find(hash));
  const json = found
    ? { valid: true, space: found.space, expires_at: formatTimestamp(found.expiresAt) }
    : { valid: false, space: null, expires_at: null };
  return new Reply({ json, headers });
}

export async function deletePortalToken(
  { params, caller }: RouteRequest<{ token: string }, object, undefined>,
  { portalTokens }: GatewayServices,
) {
  if (!(await portalTokens.revoke(caller.tenantId, hashOf(params.token)))) throw notFound();
  return { deleted: true as const };
}

type ListQuery = Omit<OperationInput<typeof filesOperations.listFiles>, 'space'>;

export function listPortalFiles({ query, space, context }: PortalRequest<object, ListQuery>, { rpc }: GatewayServices) {
  return rpc.call(filesOperations.listFiles, { ...query, space }, context);
}

export async function getPortalFile(
  { params, space, context }: PortalRequest<{ id: string }, object>,
  { rpc }: GatewayServices,
) {
  const file = await rpc.call(filesOperations.getFile, params, context);
  if (file.space !== space) throw notFound();
  return file;
}

export function downloadPortalFile(
  { params, space, context }: PortalRequest<{ id: string }, object>,
  { rpc }: GatewayServices,
) {
  return rpc.call(filesOperations.downloadFile, { ...params, space }, context);
}

type SearchBody = Omit<OperationInput<typeof searchOperations.search>, 'space'>;

export function searchPortal(
  { body, space, context }: PortalRequest<object, object, SearchBody>,
  { rpc }: GatewayServices,
) {
  return rpc.call(searchOperations.search, { ...body, space }, context);
}

function hashOf(token: string): Buffer {
  const hash = portalTokenHash(token);
  if (!hash) throw notFound();
  return hash;
}
