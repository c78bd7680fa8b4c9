// Uploads an object to S3: with PutObject, or as a multipart upload.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import type { PutOptions } from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import type { PartsPlan, PartsUpload, SentPart, UploadProtocol } from '../upload-body.js';
import type { SinglePartUpload } from './s3-single-part-upload.js';
import type { S3Requests } from './s3-requests.js';
import { unquoted } from './s3-shapes.js';

export const s3Parts: PartsPlan = { partBytes: 8 * 1024 * 1024, partsMax: 10_000, partsInFlight: 2 };
/** Stores assemble large objects while the client waits. */
const COMPLETE_TIMEOUT_MS = 300_000;

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
      const command = new CreateMultipartUploadCommand({ ...target, ContentType: contentType });
      const send = (abortSignal: AbortSignal) => requests.client.send(command, { abortSignal });
      const { UploadId } = await requests.run('starting the upload', send, { signal });
      if (UploadId === undefined) {
        throw new StorageError('unavailable', 'the store returned no upload id', { retryable: true });
      }
      return new S3PartsUpload(requests, { ...target, UploadId }, signal);
    },
  };
}

class S3PartsUpload implements PartsUpload {
  readonly #completed: CompletedPart[] = [];

  constructor(
    private readonly requests: S3Requests,
    private readonly target: { Bucket: string; Key: string; UploadId: string },
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sendPart(partNumber: number, part: Buffer): Promise<SentPart> {
    const command = new UploadPartCommand({ ...this.target, PartNumber: partNumber, Body: part });
    const send = (abortSignal: AbortSignal) => this.requests.client.send(command, { abortSignal });
    const sent = await this.requests.run(`uploading part ${partNumber}`, send, { signal: this.signal });
    const { ETag, $metadata } = sent;
    if (ETag === undefined)
      throw new StorageError('unavailable', 'the store returned no ETag for a part', { retryable: true });
    this.#completed[partNumber - 1] = { PartNumber: partNumber, ETag };
    // An attempt that got an error response may still be sending while the next attempt succeeds.
    return { isStillRead: $metadata.attempts !== 1 };
  }

  async complete(): Promise<string> {
    const command = new CompleteMultipartUploadCommand({
      ...this.target,
      MultipartUpload: { Parts: this.#completed },
    });
    const done = await this.requests.run(
      'completing the upload',
      (abortSignal) => this.requests.client.send(command, { abortSignal, requestTimeout: COMPLETE_TIMEOUT_MS }),
      { signal: this.signal, timeoutMs: COMPLETE_TIMEOUT_MS },
    );
    return unquoted(done.ETag);
  }

  /** The caller needs the first error. abortStaleUploads removes what is left of the upload. */
  async abandon(): Promise<void> {
    const command = new AbortMultipartUploadCommand(this.target);
    await this.requests
      .run('abandoning the upload', (abortSignal) => this.requests.client.send(command, { abortSignal }))
      .catch(() => undefined);
  }
}
