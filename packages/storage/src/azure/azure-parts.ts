// Blobs of blocks that others send to signed URLs: https://learn.microsoft.com/rest/api/storageservices/put-block. Azure has no uploads with ids,
// so the name of a block contains the id. Azure deletes uncommitted blocks a week after the last one was sent.
import { BlobSASPermissions } from '@azure/storage-blob';
import { randomUUID } from 'node:crypto';
import type { ListPartsOptions, PartsPage, SignedPut, SignPartOptions, StoredPart } from '../object-store.port.js';
import type { AzureClients } from './azure-client.js';
import { isBlobThere, isMissing } from './azure-errors.js';
import type { AzureRequests } from './azure-requests.js';
import { signBlobUrl } from './azure-signed-urls.js';

const NUMBER_DIGITS = 6;
const PAGE_PARTS_MAX = 1_000;

export const newUploadId = (): string => randomUUID();

/** All ids have the same length, as Azure requires. */
export const blockIdOf = (uploadId: string, partNumber: number): string =>
  Buffer.from(`${uploadId}-${String(partNumber).padStart(NUMBER_DIGITS, '0')}`).toString('base64');

/** The signature covers neither the block nor its length. */
export async function signPartUrl(
  clients: AzureClients,
  key: string,
  { uploadId, partNumber, expiresSeconds }: SignPartOptions,
): Promise<SignedPut> {
  const permissions = BlobSASPermissions.from({ create: true, write: true });
  const url = new URL(await signBlobUrl(clients, key, expiresSeconds, { permissions }));
  url.searchParams.set('comp', 'block');
  url.searchParams.set('blockid', blockIdOf(uploadId, partNumber));
  return { url: url.href, headers: {} };
}

export async function listParts(
  requests: AzureRequests,
  key: string,
  uploadId: string,
  { after = 0, limit = PAGE_PARTS_MAX }: ListPartsOptions = {},
): Promise<PartsPage> {
  const answer = await requests.run('listing blocks', (abortSignal) =>
    requests
      .blob(key)
      .getBlockList('uncommitted', { abortSignal })
      .catch((error: unknown) => {
        if (isMissing(error)) return { uncommittedBlocks: [] };
        throw error;
      }),
  );
  const parts: StoredPart[] = [];
  for (const { name, size } of answer.uncommittedBlocks ?? []) {
    const [, number] = Buffer.from(name, 'base64').toString().split(`${uploadId}-`);
    if (number !== undefined) parts.push({ partNumber: Number(number), sizeBytes: size, etag: null });
  }
  const later = parts.filter(({ partNumber }) => partNumber > after).sort((a, b) => a.partNumber - b.partNumber);
  return { parts: later.slice(0, limit), hasMore: later.length > limit };
}

export async function completeParts(
  requests: AzureRequests,
  key: string,
  uploadId: string,
  parts: readonly Pick<StoredPart, 'partNumber'>[],
): Promise<void> {
  const blockIds = parts.map(({ partNumber }) => blockIdOf(uploadId, partNumber));
  await requests.run('completing the upload', (abortSignal) =>
    requests.blob(key).commitBlockList(blockIds, { abortSignal }),
  );
}

/**
 * Azure discards uncommitted blocks only when a blob is committed. So this commits an empty blob, and deletes it. The commit discards the blocks of
 * all uploads of the key. Therefore an upload without blocks commits nothing. An existing blob has no uncommitted blocks.
 */
export async function abortParts(requests: AzureRequests, key: string, uploadId: string): Promise<void> {
  const { parts } = await listParts(requests, key, uploadId, { limit: 1 });
  if (parts.length === 0) return;
  const blob = requests.blob(key);
  await requests.run('abandoning the upload', async (abortSignal) => {
    const made = await blob
      .commitBlockList([], { abortSignal, conditions: { ifNoneMatch: '*' } })
      .catch((error: unknown) => {
        if (isBlobThere(error)) return null;
        throw error;
      });
    if (made?.etag === undefined) return;
    await blob.deleteIfExists({ abortSignal, conditions: { ifMatch: made.etag } });
  });
}
