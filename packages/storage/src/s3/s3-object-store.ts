// The S3 adapter of the ObjectStore port.
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { bodyParts } from '../body-parts.js';
import { untilAborted, withIdleDeadline } from '../deadline.js';
import { deletePrefix } from '../delete-prefix.js';
import type {
  AbortStaleUploadsOptions,
  GetOptions,
  ListOptions,
  ObjectBody,
  ObjectHead,
  ObjectPage,
  ObjectStore,
  PutOptions,
  SignGetOptions,
  SignPutOptions,
} from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import { ensureBucket, pingBucket } from './s3-bucket.js';
import { createS3Client, REQUEST_TIMEOUT_DEFAULT_MS, type S3StoreConfig } from './s3-client.js';
import { deleteKey, deleteKeys } from './s3-deletion.js';
import { isMissing, toStorageError } from './s3-errors.js';
import { PARTS_MAX, uploadParts } from './s3-multipart-upload.js';
import { S3Requests } from './s3-requests.js';
import { headOf, pageOf, rangeHeader, type HeadLike } from './s3-shapes.js';
import { signGetUrl, signPutUrl } from './s3-signed-urls.js';
import { abortStaleUploads } from './s3-stale-uploads.js';

const PART_BYTES = 8 * 1024 * 1024;
const PAGE_KEYS_MAX = 1000;

export function createS3ObjectStore(config: S3StoreConfig): ObjectStore {
  return new S3ObjectStore(config);
}

class S3ObjectStore implements ObjectStore {
  readonly #config: S3StoreConfig;
  readonly #client: S3Client;
  /** Signs with the public host; makes no requests. */
  readonly #signer: S3Client;
  readonly #requests: S3Requests;
  readonly #timeoutMs: number;

  constructor(config: S3StoreConfig) {
    this.#config = config;
    this.#timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    this.#client = createS3Client(config, config.endpoint);
    this.#requests = new S3Requests(this.#client, config.bucket, this.#timeoutMs);
    this.#signer = createS3Client(config, config.publicEndpoint ?? config.endpoint);
  }

  async put(
    key: string,
    body: Readable | Buffer | string,
    options: PutOptions,
  ): Promise<{ sizeBytes: number; etag: string }> {
    const { contentType, sizeBytes: expectedBytes, signal } = options;
    const partBytes = Math.max(PART_BYTES, Math.ceil((expectedBytes ?? 0) / PARTS_MAX));
    const parts = untilAborted(bodyParts(body, partBytes), signal);
    const stop = (): void => {
      if (body instanceof Readable) body.destroy(new Error('the upload was aborted', { cause: signal?.reason }));
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const first = (await parts.next()).value as Buffer;
      const verify = (sizeBytes: number): void => verifySize(key, sizeBytes, expectedBytes);
      if (first.length < partBytes) {
        verify(first.length);
        return await this.#putWhole(key, first, options);
      }
      const target = {
        client: this.#client,
        bucket: this.#config.bucket,
        key,
        contentType,
        requestTimeoutMs: this.#timeoutMs,
      };
      return await uploadParts({ ...target, ...(signal && { signal }) }, startingWith(first, parts), verify);
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      if (signal?.aborted) {
        throw new StorageError('unavailable', `putting ${key}: aborted by the caller`, { cause: signal.reason });
      }
      throw toStorageError(error, `putting ${key}`);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async #putWhole(key: string, body: Buffer, options: PutOptions): Promise<{ sizeBytes: number; etag: string }> {
    const command = new PutObjectCommand({
      Bucket: this.#config.bucket,
      Key: key,
      Body: body,
      ContentType: options.contentType,
      ContentLength: body.length,
    });
    const answer = await this.#requests.run(
      `putting ${key}`,
      (abortSignal) => this.#client.send(command, { abortSignal }),
      options.signal,
    );
    return { sizeBytes: body.length, etag: (answer.ETag ?? '').replaceAll('"', '') };
  }

  async get(key: string, options: GetOptions = {}): Promise<ObjectBody> {
    const command = new GetObjectCommand({
      Bucket: this.#config.bucket,
      Key: key,
      ...(options.range && { Range: rangeHeader(options.range) }),
    });
    const answer = await this.#requests.run(
      `getting ${key}`,
      (abortSignal) => this.#client.send(command, { abortSignal }),
      options.signal,
    );
    const body = answer.Body;
    if (!(body instanceof Readable)) throw new StorageError('unavailable', `getting ${key}: the answer has no body`);
    return { ...headOf(answer), body: withIdleDeadline(body, this.#timeoutMs, options.signal) };
  }

  async head(key: string): Promise<ObjectHead | null> {
    const command = new HeadObjectCommand({ Bucket: this.#config.bucket, Key: key });
    const answer = await this.#requests.run<HeadLike | null>(`looking up ${key}`, (abortSignal) =>
      this.#client.send(command, { abortSignal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    );
    return answer === null ? null : headOf(answer);
  }

  async delete(key: string): Promise<void> {
    await deleteKey(this.#requests, key);
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    await deleteKeys(this.#requests, keys);
  }

  async deletePrefix(prefix: string): Promise<number> {
    return deletePrefix(this, prefix);
  }

  async abortStaleUploads({ olderThan }: AbortStaleUploadsOptions): Promise<number> {
    return abortStaleUploads(this.#requests, olderThan);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectPage> {
    const command = new ListObjectsV2Command({
      Bucket: this.#config.bucket,
      Prefix: prefix,
      MaxKeys: Math.min(options.limit ?? PAGE_KEYS_MAX, PAGE_KEYS_MAX),
      EncodingType: 'url', // XML cannot carry every character a key may hold
      ...(options.cursor !== undefined
        ? { ContinuationToken: options.cursor }
        : options.startAfter !== undefined && { StartAfter: options.startAfter }),
      ...(options.delimiter !== undefined && { Delimiter: options.delimiter }),
    });
    return pageOf(await this.#requests.run('listing', (abortSignal) => this.#client.send(command, { abortSignal })));
  }

  async signPut(key: string, options: SignPutOptions): Promise<string> {
    return signPutUrl(this.#signer, this.#config.bucket, key, options);
  }

  async signGet(key: string, options: SignGetOptions): Promise<string> {
    return signGetUrl(this.#signer, this.#config.bucket, key, options);
  }

  async ensureBucket(): Promise<void> {
    await ensureBucket(this.#requests, this.#config);
  }

  async ping(): Promise<void> {
    await pingBucket(this.#requests);
  }

  close(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }
}

function verifySize(key: string, sizeBytes: number, expectedBytes: number | undefined): void {
  if (expectedBytes === undefined || expectedBytes === sizeBytes) return;
  throw new StorageError('invalid', `putting ${key}: announced ${expectedBytes} bytes, received ${sizeBytes}`);
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
