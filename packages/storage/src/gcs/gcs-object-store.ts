// The Google Cloud Storage adapter of the ObjectStore port.
import type { Bucket } from '../bucket.port.js';
import { rangeHeader } from '../byte-range.js';
import { REQUEST_TIMEOUT_DEFAULT_MS, withIdleDeadline } from '../deadline.js';
import { throwDeleteFailures, type DeleteFailure } from '../delete-failures.js';
import { deletePrefix } from '../delete-prefix.js';
import { keepAliveAgents } from '../http-agents.js';
import { inParallel } from '../in-parallel.js';
import type {
  AbortStaleUploadsOptions,
  GetOptions,
  ListOptions,
  ListPartsOptions,
  ObjectBody,
  ObjectHead,
  ObjectPage,
  ObjectStore,
  PartsPage,
  PutOptions,
  SignedPut,
  SignGetOptions,
  SignPartOptions,
  SignPutOptions,
  StoredObject,
  StoredPart,
} from '../object-store.port.js';
import { utf8Order } from '../key-order.js';
import { onlyAfter } from '../only-after.js';
import { StorageError } from '../storage.errors.js';
import { partsMemoryOf, uploadBody, type Body } from '../upload-body.js';
import { ensureBucket, pingBucket } from './gcs-bucket.js';
import { createGcsClient, GOOGLE_ENDPOINT, type GcsStoreConfig } from './gcs-client.js';
import { abortParts, abortStaleUploads, beginParts, completeParts, listParts } from './gcs-parts.js';
import { GcsRequests } from './gcs-requests.js';
import { headOf, headOfDownload, OBJECT_FIELDS, pageOf, type ObjectResource } from './gcs-shapes.js';
import { signGetUrl, signPartUrl, signPutUrl, type GcsSigner } from './gcs-signed-urls.js';
import { gcsParts, gcsUpload } from './gcs-upload.js';

const PAGE_KEYS_MAX = 1_000;
/** Google's batch requests are not faster, and are billed as one request per part. */
const DELETES_IN_FLIGHT = 16;

export function createGcsObjectStore(config: GcsStoreConfig): ObjectStore {
  return new GcsObjectStore(config);
}

/** Opens an external bucket. Makes no request. */
export function openGcsBucket(config: GcsStoreConfig): Bucket {
  return new GcsObjectStore(config);
}

class GcsObjectStore implements ObjectStore, Bucket {
  /** https://cloud.google.com/storage/docs/json_api/v1/objects/list */
  readonly keyOrders = [utf8Order];
  readonly #agents = keepAliveAgents();
  readonly #requests: GcsRequests;
  readonly #signer: GcsSigner;

  constructor(config: GcsStoreConfig) {
    const storage = createGcsClient(config);
    const { bucket, endpoint = GOOGLE_ENDPOINT, publicEndpoint = endpoint } = config;
    const timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    this.#requests = new GcsRequests(
      storage,
      endpoint,
      bucket,
      timeoutMs,
      config.agents ?? this.#agents,
      config.federated,
    );
    this.#signer = { storage, bucket, publicEndpoint };
  }

  async put(key: string, body: Body, options: PutOptions): Promise<StoredObject> {
    return uploadBody(key, body, options, gcsUpload(this.#requests, key, options));
  }

  putMemoryBytes(sizeBytesMax: number): number {
    return partsMemoryOf(gcsParts, sizeBytesMax);
  }

  async get(key: string, { range, signal }: GetOptions = {}): Promise<ObjectBody> {
    const { headers, data } = await this.#requests.stream(`getting ${key}`, {
      method: 'GET',
      url: this.#requests.objectUrl(key),
      params: { alt: 'media' },
      // Requests the stored bytes: without this header, Google decompresses objects that were stored with an encoding.
      headers: { 'Accept-Encoding': 'gzip', ...(range && { Range: rangeHeader(range) }) },
      signal,
    });
    return { ...headOfDownload(headers), body: withIdleDeadline(data, this.#requests.timeoutMs, signal) };
  }

  async head(key: string): Promise<ObjectHead | null> {
    const url = this.#requests.objectUrl(key);
    const request = { method: 'GET', url, params: { fields: OBJECT_FIELDS }, accepts: [404] } as const;
    const { status, data } = await this.#requests.json<ObjectResource>(`looking up ${key}`, request);
    return status === 404 ? null : headOf(data);
  }

  async delete(key: string): Promise<void> {
    const url = this.#requests.objectUrl(key);
    await this.#requests.json(`deleting ${key}`, { method: 'DELETE', url, accepts: [404] });
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    const failures: DeleteFailure[] = [];
    await inParallel(keys, DELETES_IN_FLIGHT, async (key) => {
      try {
        await this.delete(key);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        failures.push({ key, message: error.message, denied: error.code === 'access_denied' });
      }
    });
    throwDeleteFailures(keys.length, failures);
  }

  async deletePrefix(prefix: string): Promise<number> {
    return deletePrefix(this, prefix);
  }

  abortStaleUploads(options: AbortStaleUploadsOptions): Promise<number> {
    return abortStaleUploads(this.#requests, options);
  }

  beginParts(key: string): Promise<string> {
    return beginParts(this.#requests, key);
  }

  signPart(key: string, options: SignPartOptions): Promise<SignedPut> {
    return signPartUrl(this.#signer, key, options);
  }

  listParts(key: string, uploadId: string, options?: ListPartsOptions): Promise<PartsPage> {
    return listParts(this.#requests, key, uploadId, options);
  }

  completeParts(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void> {
    return completeParts(this.#requests, key, uploadId, parts);
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    await abortParts(this.#requests, { key, uploadId });
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectPage> {
    const { cursor, startAfter, limit = PAGE_KEYS_MAX, delimiter, signal } = options;
    const { data } = await this.#requests.json<unknown>('listing', {
      method: 'GET',
      url: `${this.#requests.bucketUrl}/o`,
      params: {
        prefix,
        maxResults: Math.min(limit, PAGE_KEYS_MAX),
        fields: `kind,items(${OBJECT_FIELDS}),prefixes,nextPageToken`,
        ...(delimiter !== undefined && { delimiter }),
        ...(startAfter !== undefined && { startOffset: startAfter }),
        ...(cursor !== undefined && { pageToken: cursor }),
      },
      signal,
    });
    return onlyAfter(pageOf(data), startAfter);
  }

  async signPut(key: string, options: SignPutOptions): Promise<SignedPut> {
    return signPutUrl(this.#signer, key, options);
  }

  async signGet(key: string, options: SignGetOptions): Promise<string> {
    return signGetUrl(this.#signer, key, options);
  }

  async keysExpireAt(): Promise<null> {
    return null;
  }

  async otherRegion(): Promise<null> {
    return null;
  }

  async ensureBucket(): Promise<void> {
    await ensureBucket(this.#requests);
  }

  async ping(): Promise<void> {
    await pingBucket(this.#requests);
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
