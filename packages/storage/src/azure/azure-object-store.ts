// The Azure Blob Storage adapter of the ObjectStore port.
import { Readable } from 'node:stream';
import type { Bucket } from '../bucket.port.js';
import { checkedRange } from '../byte-range.js';
import { REQUEST_TIMEOUT_DEFAULT_MS, withIdleDeadline } from '../deadline.js';
import { deletePrefix } from '../delete-prefix.js';
import { directoryOrder, utf16Order, utf8Order } from '../key-order.js';
import { ListingNotProvenError } from '../listing-not-proven.error.js';
import type {
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
import { onlyAfter } from '../only-after.js';
import { StorageError } from '../storage.errors.js';
import { partsMemoryOf, uploadBody, type Body } from '../upload-body.js';
import { createAzureClients, type AzureClients, type AzureStoreConfig } from './azure-client.js';
import { ensureContainer, pingContainer } from './azure-container.js';
import { deleteKey, deleteKeys } from './azure-deletion.js';
import { isMissing, isUnreadable } from './azure-errors.js';
import { abortParts, completeParts, listParts, newUploadId, signPartUrl } from './azure-parts.js';
import { AzureRequests } from './azure-requests.js';
import { headOf, pageOf, type HeadLike } from './azure-shapes.js';
import { signGetUrl, signPutUrl } from './azure-signed-urls.js';
import { azureParts, azureUpload } from './azure-upload.js';

const PAGE_KEYS_MAX = 1_000;

export function createAzureObjectStore(config: AzureStoreConfig): ObjectStore {
  return openAzureContainer(config);
}

/** Opens an external container. Makes no request. */
export function openAzureContainer(config: AzureStoreConfig): ObjectStore & Bucket {
  return new AzureObjectStore(createAzureClients(config), config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS);
}

class AzureObjectStore implements ObjectStore, Bucket {
  /** "Alphabetical" by the documentation. In an account with a hierarchical namespace, which the API does not reveal, in directory order. */
  readonly keyOrders = [utf8Order, utf16Order, directoryOrder(utf8Order), directoryOrder(utf16Order)];
  readonly ownUrl: Bucket['ownUrl'];
  readonly #clients: AzureClients;
  readonly #requests: AzureRequests;

  constructor(clients: AzureClients, requestTimeoutMs: number) {
    if (clients.signatures === null) this.ownUrl = (key) => this.#requests.blob(key).url;
    this.#clients = clients;
    this.#requests = new AzureRequests(clients.container, requestTimeoutMs);
  }

  async put(key: string, body: Body, options: PutOptions): Promise<StoredObject> {
    return uploadBody(key, body, options, azureUpload(this.#requests, key, options));
  }

  putMemoryBytes(sizeBytesMax: number): number {
    return partsMemoryOf(azureParts, sizeBytesMax);
  }

  async get(key: string, { range, signal }: GetOptions = {}): Promise<ObjectBody> {
    const { start, end } = checkedRange(range ?? { start: 0 });
    const count = end === undefined ? undefined : end - start + 1;
    const answer = await this.#requests.run(
      `getting ${key}`,
      (abortSignal) => this.#requests.blob(key).download(start, count, { abortSignal }),
      { signal },
    );
    const body = answer.readableStreamBody;
    if (!(body instanceof Readable)) throw new StorageError('unavailable', `getting ${key}: the response has no body`);
    return { ...headOf(answer), body: withIdleDeadline(body, this.#requests.timeoutMs, signal) };
  }

  async head(key: string): Promise<ObjectHead | null> {
    const answer = await this.#requests.run<HeadLike | null>(`looking up ${key}`, (abortSignal) =>
      this.#requests
        .blob(key)
        .getProperties({ abortSignal })
        .catch((error: unknown) => {
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

  /** Azure deletes uncommitted blocks after a week. */
  async abortStaleUploads(): Promise<number> {
    return 0;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ObjectPage> {
    const { cursor, startAfter, limit = PAGE_KEYS_MAX, delimiter, signal } = options;
    const settings = {
      maxPageSize: Math.min(limit, PAGE_KEYS_MAX),
      ...(cursor !== undefined && { continuationToken: cursor }),
    };
    const next = async (abortSignal: AbortSignal) => {
      const { container } = this.#requests;
      const pages =
        delimiter === undefined
          ? container.listBlobsFlat({ prefix, includeMetadata: true, abortSignal }).byPage(settings)
          : container.listBlobsByHierarchy(delimiter, { prefix, abortSignal }).byPage(settings);
      return pages.next().catch((error: unknown) => {
        throw isUnreadable(error)
          ? new ListingNotProvenError('the response cannot be parsed', { cause: error })
          : error;
      });
    };
    const first = await this.#requests.run('listing', next, { signal });
    if (first.done) throw new ListingNotProvenError('the response is missing');
    return onlyAfter(pageOf(first.value), startAfter);
  }

  async signPut(key: string, options: SignPutOptions): Promise<SignedPut> {
    return signPutUrl(this.#clients, key, options);
  }

  async signGet(key: string, options: SignGetOptions): Promise<string> {
    return signGetUrl(this.#clients, key, options);
  }

  /** A user delegation key is valid for as long as the URL that it signs. */
  async keysExpireAt(): Promise<null> {
    return null;
  }

  async otherRegion(): Promise<null> {
    return null;
  }

  async beginParts(): Promise<string> {
    return newUploadId();
  }

  signPart(key: string, options: SignPartOptions): Promise<SignedPut> {
    return signPartUrl(this.#clients, key, options);
  }

  listParts(key: string, uploadId: string, options?: ListPartsOptions): Promise<PartsPage> {
    return listParts(this.#requests, key, uploadId, options);
  }

  completeParts(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void> {
    return completeParts(this.#requests, key, uploadId, parts);
  }

  abortParts(key: string, uploadId: string): Promise<void> {
    return abortParts(this.#requests, key, uploadId);
  }

  async ensureBucket(): Promise<void> {
    await ensureContainer(this.#requests);
  }

  async ping(): Promise<void> {
    await pingContainer(this.#requests);
  }

  /** Does nothing: the SDK's agent owns the connections, and they do not keep the process alive. */
  close(): void {}
}
