// Multipart uploads whose parts others send to signed URLs. Only the XML API has them: https://cloud.google.com/storage/docs/multipart-uploads
import { inParallel } from '../in-parallel.js';
import type {
  AbortStaleUploadsOptions,
  ListPartsOptions,
  PartsPage,
  StoredPart,
  UnfinishedUpload,
} from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import type { GcsAnswer, GcsRequest, GcsRequests } from './gcs-requests.js';
import { listIn, readXml, textIn, writeParts } from './gcs-xml.js';

/** Google assembles large objects while the client waits. */
const COMPLETE_TIMEOUT_MS = 300_000;
const PAGE_PARTS_MAX = 1_000;
const ABORTS_IN_FLIGHT = 8;

export async function beginParts(requests: GcsRequests, key: string): Promise<string> {
  const { data } = await send(requests, 'starting the upload', {
    method: 'POST',
    url: `${xmlUrl(requests, key)}?uploads`,
  });
  const uploadId = textIn(readXml(data, 'InitiateMultipartUploadResult'), 'UploadId');
  if (uploadId === '') throw new StorageError('unavailable', 'the store returned no upload id', { retryable: true });
  return uploadId;
}

export async function listParts(
  requests: GcsRequests,
  key: string,
  uploadId: string,
  { after = 0, limit = PAGE_PARTS_MAX }: ListPartsOptions = {},
): Promise<PartsPage> {
  const { data } = await send(requests, 'listing parts', {
    method: 'GET',
    url: xmlUrl(requests, key),
    params: { uploadId, 'max-parts': Math.min(limit, PAGE_PARTS_MAX), 'part-number-marker': after },
  });
  const page = readXml(data, 'ListPartsResult');
  const parts = listIn(page, 'Part').map((part) => ({
    partNumber: Number(textIn(part, 'PartNumber')),
    sizeBytes: Number(textIn(part, 'Size')),
    etag: textIn(part, 'ETag').replaceAll('"', ''),
  }));
  return { parts, hasMore: textIn(page, 'IsTruncated') === 'true' };
}

export async function completeParts(
  requests: GcsRequests,
  key: string,
  uploadId: string,
  parts: readonly StoredPart[],
): Promise<void> {
  await send(requests, 'completing the upload', {
    method: 'POST',
    url: xmlUrl(requests, key),
    params: { uploadId },
    headers: { 'Content-Type': 'application/xml' },
    body: writeParts(parts),
    timeoutMs: COMPLETE_TIMEOUT_MS,
  });
}

/** Returns false when the upload has ended. */
export async function abortParts(requests: GcsRequests, { key, uploadId }: UnfinishedUpload): Promise<boolean> {
  const request = { method: 'DELETE', url: xmlUrl(requests, key), params: { uploadId }, accepts: [404] } as const;
  return (await send(requests, 'abandoning the upload', request)).status !== 404;
}

/** Google keeps and bills the parts of multipart uploads. Resumable sessions, which `put` uses, expire after a week, and are not billed. */
export async function abortStaleUploads(
  requests: GcsRequests,
  { olderThan, keep, afterPage }: AbortStaleUploadsOptions,
): Promise<number> {
  let aborted = 0;
  for await (const page of uploadPages(requests)) {
    const stale = page.filter(({ initiated }) => initiated < olderThan);
    const kept = stale.length === 0 ? undefined : await keep?.(stale);
    const unwanted = stale.filter(({ uploadId }) => kept?.has(uploadId) !== true);
    await inParallel(unwanted, ABORTS_IN_FLIGHT, async (upload) => {
      if (await abortParts(requests, upload)) aborted += 1;
    });
    if ((await afterPage?.()) === false) break;
  }
  return aborted;
}

async function* uploadPages(requests: GcsRequests): AsyncGenerator<(UnfinishedUpload & { initiated: Date })[]> {
  let markers: Record<string, string> | undefined = {};
  while (markers !== undefined) {
    const request: GcsRequest = { method: 'GET', url: xmlUrl(requests), params: { uploads: '', ...markers } };
    const { data } = await send(requests, 'listing unfinished uploads', request);
    const page = readXml(data, 'ListMultipartUploadsResult');
    yield listIn(page, 'Upload').map((upload) => ({
      key: textIn(upload, 'Key'),
      uploadId: textIn(upload, 'UploadId'),
      initiated: new Date(textIn(upload, 'Initiated')),
    }));
    const isLast = textIn(page, 'IsTruncated') !== 'true';
    markers = isLast
      ? undefined
      : { 'key-marker': textIn(page, 'NextKeyMarker'), 'upload-id-marker': textIn(page, 'NextUploadIdMarker') };
  }
}

function xmlUrl({ endpoint, bucket }: GcsRequests, key?: string): string {
  const path = key === undefined ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`;
  return `${endpoint}/${encodeURIComponent(bucket)}${path}`;
}

const send = (requests: GcsRequests, action: string, request: GcsRequest): Promise<GcsAnswer<string>> =>
  requests.text(action, request);
