// The S3 adapter of the ObjectStore port.
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type BucketLocationConstraint,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { bodyParts } from './body-parts.js';
import { untilAborted, withDeadline, withIdleDeadline } from './deadline.js';
import { PARTS_MAX, uploadParts } from './multipart-upload.js';
import type {
  GetOptions,
  ListOptions,
  ObjectBody,
  ObjectHead,
  ObjectPage,
  ObjectStore,
  PutOptions,
  SignGetOptions,
  SignPutOptions,
} from './object-store.port.js';
import { createS3Client, REQUEST_TIMEOUT_DEFAULT_MS, type S3StoreConfig } from './s3-client.js';
import { isMissing, toStorageError } from './s3-errors.js';
import { headOf, pageOf, rangeHeader, type HeadLike } from './s3-shapes.js';
import { signGetUrl, signPutUrl } from './s3-signed-urls.js';
import { StorageError } from './storage.errors.js';

const PART_BYTES = 8 * 1024 * 1024;
const PAGE_KEYS_MAX = 1000;
const PING_TIMEOUT_MS = 3_000;

export function createS3ObjectStore(config: S3StoreConfig): ObjectStore {
  return new S3ObjectStore(config);
}

class S3ObjectStore implements ObjectStore {
  readonly #config: S3StoreConfig;
  readonly #client: S3Client;
  /** Signs with the public host; makes no requests. */
  readonly #signer: S3Client;
  readonly #timeoutMs: number;

  constructor(config: S3StoreConfig) {
    this.#config = config;
    this.#timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    this.#client = createS3Client(config, config.endpoint);
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
    const answer = await this.#call(
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
    const answer = await this.#call(
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
    const answer = await this.#call<HeadLike | null>(`looking up ${key}`, (abortSignal) =>
      this.#client.send(command, { abortSignal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    );
    return answer === null ? null : headOf(answer);
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#config.bucket, Key: key });
    await this.#call(`deleting ${key}`, (abortSignal) => this.#client.send(command, { abortSignal }));
  }

  async deletePrefix(prefix: string): Promise<number> {
    if (prefix === '')
      throw new StorageError('invalid', 'deletePrefix needs a prefix: an empty one is the whole bucket');
    let deleted = 0;
    let cursor: string | null = null;
    do {
      const page: ObjectPage = await this.list(prefix, cursor === null ? {} : { cursor });
      if (page.objects.length > 0) await this.#deleteKeys(page.objects.map(({ key }) => key));
      deleted += page.objects.length;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return deleted;
  }

  async #deleteKeys(keys: string[]): Promise<void> {
    const command = new DeleteObjectsCommand({
      Bucket: this.#config.bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    });
    const answer = await this.#call('deleting objects', (abortSignal) => this.#client.send(command, { abortSignal }));
    const failed = answer.Errors?.[0];
    if (failed === undefined) return;
    const denied = failed.Code === 'AccessDenied';
    throw new StorageError(denied ? 'access_denied' : 'unavailable', `deleting ${failed.Key}: ${failed.Message}`, {
      retryable: !denied,
    });
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectPage> {
    const command = new ListObjectsV2Command({
      Bucket: this.#config.bucket,
      Prefix: prefix,
      MaxKeys: Math.min(options.limit ?? PAGE_KEYS_MAX, PAGE_KEYS_MAX),
      EncodingType: 'url', // XML cannot carry every character a key may hold
      ...(options.cursor !== undefined && { ContinuationToken: options.cursor }),
      ...(options.delimiter !== undefined && { Delimiter: options.delimiter }),
    });
    return pageOf(await this.#call('listing', (abortSignal) => this.#client.send(command, { abortSignal })));
  }

  async signPut(key: string, options: SignPutOptions): Promise<string> {
    return signPutUrl(this.#signer, this.#config.bucket, key, options);
  }

  async signGet(key: string, options: SignGetOptions): Promise<string> {
    return signGetUrl(this.#signer, this.#config.bucket, key, options);
  }

  async ensureBucket(): Promise<void> {
    const { bucket: Bucket, endpoint, region } = this.#config;
    const head = new HeadBucketCommand({ Bucket });
    const exists = await this.#call('looking for the bucket', (abortSignal) =>
      this.#client.send(head, { abortSignal }).then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      ),
    );
    if (exists) return;
    // AWS wants the region named except for its first one; other stores have no regions to name.
    const LocationConstraint = region as BucketLocationConstraint;
    const elsewhere = endpoint === undefined && region !== 'us-east-1';
    const create = new CreateBucketCommand({
      Bucket,
      ...(elsewhere && { CreateBucketConfiguration: { LocationConstraint } }),
    });
    await this.#call('creating the bucket', (abortSignal) =>
      this.#client.send(create, { abortSignal }).catch((error: unknown) => {
        const raced = error instanceof Error && /^BucketAlready(OwnedByYou|Exists)$/.test(error.name);
        if (raced) return this.#client.send(head, { abortSignal });
        throw error;
      }),
    );
  }

  async ping(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#config.bucket });
    const timeoutMs = Math.min(PING_TIMEOUT_MS, this.#timeoutMs);
    const action = 'reaching the object store';
    await withDeadline({ timeoutMs, action }, (abortSignal) => this.#client.send(command, { abortSignal })).catch(
      (error: unknown) => {
        if (isMissing(error)) {
          throw new StorageError('invalid', `${action}: there is no bucket ${this.#config.bucket}`, { cause: error });
        }
        throw toStorageError(error, action);
      },
    );
  }

  close(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }

  async #call<T>(action: string, run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await withDeadline({ timeoutMs: this.#timeoutMs, action, ...(signal && { signal }) }, run);
    } catch (error) {
      throw toStorageError(error, action);
    }
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
