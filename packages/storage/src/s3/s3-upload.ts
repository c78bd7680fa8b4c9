// How S3 takes an object: PutObject, or a multipart upload.
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
import type { PartsUpload, UploadProtocol } from '../upload-body.js';
import type { LeanPut } from './s3-lean-put.js';
import type { S3Requests } from './s3-requests.js';
import { unquoted } from './s3-shapes.js';

const PART_BYTES = 8 * 1024 * 1024;
const PARTS_MAX = 10_000;
const PARTS_IN_FLIGHT = 2;
/** Stores assemble large objects while the client waits. */
const COMPLETE_TIMEOUT_MS = 300_000;

export function s3Upload(
  requests: S3Requests,
  leanPut: LeanPut,
  key: string,
  { contentType, signal }: PutOptions,
): UploadProtocol {
  const target = { Bucket: requests.bucket, Key: key };
  return {
    partBytes: PART_BYTES,
    partsMax: PARTS_MAX,
    partsInFlight: PARTS_IN_FLIGHT,
    partsAreFreed: true,
    async putWhole(body) {
      const throughSdk = async (abortSignal: AbortSignal): Promise<string> => {
        const facts = { Body: body, ContentType: contentType, ContentLength: body.length };
        const command = new PutObjectCommand({ ...target, ...facts });
        return unquoted((await requests.client.send(command, { abortSignal })).ETag);
      };
      const send = async (abortSignal: AbortSignal): Promise<string> =>
        (await leanPut.put(key, body, contentType, abortSignal)) ?? throughSdk(abortSignal);
      return requests.run(`putting ${key}`, send, { signal });
    },
    async begin() {
      const command = new CreateMultipartUploadCommand({ ...target, ContentType: contentType });
      const send = (abortSignal: AbortSignal) => requests.client.send(command, { abortSignal });
      const { UploadId } = await requests.run('starting the upload', send, { signal });
      if (UploadId === undefined) {
        throw new StorageError('unavailable', 'the store gave no upload id', { retryable: true });
      }
      return new S3PartsUpload(requests, leanPut, { ...target, UploadId }, signal);
    },
  };
}

class S3PartsUpload implements PartsUpload {
  readonly #completed: CompletedPart[] = [];

  constructor(
    private readonly requests: S3Requests,
    private readonly leanPut: LeanPut,
    private readonly target: { Bucket: string; Key: string; UploadId: string },
    private readonly signal: AbortSignal | undefined,
  ) {}

  async sendPart(partNumber: number, part: Buffer): Promise<void> {
    const place = { ...this.target, PartNumber: partNumber };
    const throughSdk = async (abortSignal: AbortSignal): Promise<string | undefined> => {
      // A copy: an attempt that was answered with an error may go on sending while the next one succeeds.
      const command = new UploadPartCommand({ ...place, Body: Buffer.from(part) });
      return (await this.requests.client.send(command, { abortSignal })).ETag;
    };
    const send = async (abortSignal: AbortSignal): Promise<string | undefined> => {
      const tag = await this.leanPut.putPart(place, part, abortSignal);
      return tag === null ? throughSdk(abortSignal) : `"${tag}"`;
    };
    const ETag = await this.requests.run(`uploading part ${partNumber}`, send, { signal: this.signal });
    if (ETag === undefined) throw new StorageError('unavailable', 'the store gave no part tag', { retryable: true });
    this.#completed[partNumber - 1] = { PartNumber: partNumber, ETag };
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

  /** The first error matters to the caller; what is left is given up by abortStaleUploads. */
  async abandon(): Promise<void> {
    const command = new AbortMultipartUploadCommand(this.target);
    await this.requests
      .run('abandoning the upload', (abortSignal) => this.requests.client.send(command, { abortSignal }))
      .catch(() => undefined);
  }
}
