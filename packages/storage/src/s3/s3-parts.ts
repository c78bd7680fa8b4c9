// Multipart uploads whose parts others send to signed URLs: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
  type Part,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type {
  ListPartsOptions,
  PartsPage,
  PutOptions,
  SignedPut,
  SignPartOptions,
  StoredPart,
} from '../object-store.port.js';
import { checkedExpiry } from '../signed-url-expiry.js';
import { StorageError } from '../storage.errors.js';
import type { S3Requests } from './s3-requests.js';
import { unquoted } from './s3-shapes.js';
import { sign } from './s3-signed-urls.js';

/** Stores assemble large objects while the client waits. */
const COMPLETE_TIMEOUT_MS = 300_000;
const PAGE_PARTS_MAX = 1_000;

export async function beginParts(
  requests: S3Requests,
  key: string,
  { contentType, signal }: Partial<Pick<PutOptions, 'contentType' | 'signal'>> = {},
): Promise<string> {
  const command = new CreateMultipartUploadCommand({
    Bucket: requests.bucket,
    Key: key,
    ...(contentType !== undefined && { ContentType: contentType }),
  });
  const send = (abortSignal: AbortSignal) => requests.client.send(command, { abortSignal });
  const { UploadId } = await requests.run('starting the upload', send, { signal });
  if (UploadId === undefined) {
    throw new StorageError('unavailable', 'the store returned no upload id', { retryable: true });
  }
  return UploadId;
}

export async function signPartUrl(
  client: S3Client,
  bucket: string,
  key: string,
  { uploadId, partNumber, sizeBytes, expiresSeconds }: SignPartOptions,
): Promise<SignedPut> {
  const command = new UploadPartCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
    ...(sizeBytes !== undefined && { ContentLength: sizeBytes }),
  });
  const signableHeaders = new Set(sizeBytes === undefined ? ['host'] : ['host', 'content-length']);
  const expiresIn = checkedExpiry(expiresSeconds);
  return { url: await sign(() => getSignedUrl(client, command, { expiresIn, signableHeaders })), headers: {} };
}

export async function listParts(
  requests: S3Requests,
  key: string,
  uploadId: string,
  { after = 0, limit = PAGE_PARTS_MAX }: ListPartsOptions = {},
): Promise<PartsPage> {
  const command = new ListPartsCommand({
    Bucket: requests.bucket,
    Key: key,
    UploadId: uploadId,
    MaxParts: Math.min(limit, PAGE_PARTS_MAX),
    ...(after > 0 && { PartNumberMarker: String(after) }),
  });
  const page = await requests.run('listing parts', (abortSignal) => requests.client.send(command, { abortSignal }));
  const parts = newestOfEach(page.Parts ?? []).map(({ PartNumber = 0, Size = 0, ETag }) => ({
    partNumber: PartNumber,
    sizeBytes: Size,
    etag: unquoted(ETag),
  }));
  return { parts, hasMore: page.IsTruncated === true };
}

/** SeaweedFS lists a part that was sent twice as two parts, in any order. */
function newestOfEach(parts: readonly Part[]): Part[] {
  const newest = new Map<number | undefined, Part>();
  const time = (part: Part | undefined) => part?.LastModified?.getTime() ?? 0;
  for (const part of parts) {
    if (time(part) >= time(newest.get(part.PartNumber))) newest.set(part.PartNumber, part);
  }
  return [...newest.values()];
}

/** Returns the tag of the object. */
export async function completeParts(
  requests: S3Requests,
  key: string,
  uploadId: string,
  parts: readonly Pick<StoredPart, 'partNumber' | 'etag'>[],
  signal?: AbortSignal,
): Promise<string> {
  const command = new CompleteMultipartUploadCommand({
    Bucket: requests.bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: { Parts: parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag ?? '' })) },
  });
  const done = await requests.run(
    'completing the upload',
    (abortSignal) => requests.client.send(command, { abortSignal, requestTimeout: COMPLETE_TIMEOUT_MS }),
    { signal, timeoutMs: COMPLETE_TIMEOUT_MS },
  );
  return unquoted(done.ETag);
}
