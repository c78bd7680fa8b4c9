// The S3 adapter of the ObjectStore port.
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { rangeHeader } from '../byte-range.js';
import { REQUEST_TIMEOUT_DEFAULT_MS, withIdleDeadline } from '../deadline.js';
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
  SignedPut,
  SignGetOptions,
  SignPutOptions,
  StoredObject,
} from '../object-store.port.js';
import { onlyAfter } from '../only-after.js';
import { StorageError } from '../storage.errors.js';
import { uploadBody, type Body } from '../upload-body.js';
import { ensureBucket, pingBucket } from './s3-bucket.js';
import { createS3Client, type S3StoreConfig } from './s3-client.js';
import { deleteKey, deleteKeys } from './s3-deletion.js';
import { isMissing } from './s3-errors.js';
import { LeanPut } from './s3-lean-put.js';
import { S3Requests } from './s3-requests.js';
import { headOf, pageOf, type HeadLike } from './s3-shapes.js';
import { signGetUrl, signPutUrl } from './s3-signed-urls.js';
import { abortStaleUploads } from './s3-stale-uploads.js';
import { leaveBodiesUnsigned, protectsBodies } from './s3-unsigned-bodies.js';
import { s3Upload } from './s3-upload.js';

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
  readonly #leanPut: LeanPut;
  readonly #timeoutMs: number;

  constructor(config: S3StoreConfig) {
    this.#config = config;
    this.#timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    this.#client = createS3Client(config, config.endpoint);
    if (protectsBodies(config.endpoint)) leaveBodiesUnsigned(this.#client);
    this.#requests = new S3Requests(this.#client, config.bucket, this.#timeoutMs);
    this.#leanPut = new LeanPut(config, this.#client);
    this.#signer = createS3Client(config, config.publicEndpoint ?? config.endpoint);
  }

  async put(key: string, body: Body, options: PutOptions): Promise<StoredObject> {
    return uploadBody(key, body, options, s3Upload(this.#requests, this.#leanPut, key, options));
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
      { signal: options.signal },
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
    const answer = await this.#requests.run('listing', (abortSignal) => this.#client.send(command, { abortSignal }));
    return onlyAfter(pageOf(answer), options.startAfter);
  }

  async signPut(key: string, options: SignPutOptions): Promise<SignedPut> {
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
    this.#leanPut.close();
    this.#client.destroy();
    this.#signer.destroy();
  }
}
