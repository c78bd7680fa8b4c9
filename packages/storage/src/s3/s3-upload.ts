// Uploads an object to S3: with PutObject, or as a multipart upload.
import { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import type { PutOptions, StoredPart, UnfinishedUpload } from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import type { PartsPlan, PartsUpload, SentPart, UploadProtocol } from '../upload-body.js';
import { beginParts, completeParts } from './s3-parts.js';
import type { SinglePartUpload } from './s3-single-part-upload.js';
import type { S3Requests } from './s3-requests.js';
import { unquoted } from './s3-shapes.js';
import { abortUpload } from './s3-stale-uploads.js';

export const s3Parts: PartsPlan = { partBytes: 8 * 1024 * 1024, partsMax: 10_000, partsInFlight: 2 };

export function s3Upload(
  requests: S3Requests,
  singlePartUpload: SinglePartUpload,
  key: string,
  { contentType, signal }: PutOptions,
): UploadProtocol {
  const target = { Bucket: requests.bucket, Key: key };
  return {
    ...s3Parts,
    partsAreFreed: true,
    async putWhole(body) {
      const throughSdk = async (abortSignal: AbortSignal): Promise<string> => {
        const facts = { Body: body, ContentType: contentType, ContentLength: body.length };
        const command = new PutObjectCommand({ ...target, ...facts });
        return unquoted((await requests.client.send(command, { abortSignal })).ETag);
      };
      const send = async (abortSignal: AbortSignal): Promise<string> =>
        (await singlePartUpload.put(key, body, contentType, abortSignal)) ?? throughSdk(abortSignal);
      return requests.run(`putting ${key}`, send, { signal });
    },
    async begin() {
      const uploadId = await beginParts(requests, key, { contentType, ...(signal && { signal }) });
      return new S3PartsUpload(requests, { key, uploadId }, signal);
    },
  };
}

class S3PartsUpload implements PartsUpload {
  readonly #completed: Pick<StoredPart, 'partNumber' | 'etag'>[] = [];

  constructor(
    private readonly requests: S3Requests,
    private readonly upload: UnfinishedUpload,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sendPart(partNumber: number, part: Buffer): Promise<SentPart> {
    const { key, uploadId } = this.upload;
    const target = { Bucket: this.requests.bucket, Key: key, UploadId: uploadId };
    const command = new UploadPartCommand({ ...target, PartNumber: partNumber, Body: part });
    const send = (abortSignal: AbortSignal) => this.requests.client.send(command, { abortSignal });
    const sent = await this.requests.run(`uploading part ${partNumber}`, send, { signal: this.signal });
    const { ETag, $metadata } = sent;
    if (ETag === undefined)
      throw new StorageError('unavailable', 'the store returned no ETag for a part', { retryable: true });
    this.#completed[partNumber - 1] = { partNumber, etag: ETag };
    // An attempt that got an error response may still be sending while the next attempt succeeds.
    return { isStillRead: $metadata.attempts !== 1 };
  }

  complete(): Promise<string> {
    const { key, uploadId } = this.upload;
    return completeParts(this.requests, key, uploadId, this.#completed, this.signal);
  }

  /** The caller needs the first error. abortStaleUploads removes what is left of the upload. */
  async abandon(): Promise<void> {
    await abortUpload(this.requests, this.upload).catch(() => undefined);
  }
}
