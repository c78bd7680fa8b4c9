// The S3 adapter of the ObjectStore port.
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { deletePrefix } from '../delete-prefix.js';
import type {
  AbortStaleUploadsOptions,
  ListPartsOptions,
  ObjectStore,
  PartsPage,
  PutOptions,
  SignedPut,
  SignPartOptions,
  StoredObject,
  StoredPart,
} from '../object-store.port.js';
import { partsMemoryOf, uploadBody, type Body } from '../upload-body.js';
import { ensureBucket, pingBucket } from './s3-bucket.js';
import { createS3Client, type S3ClientConfig, type S3StoreConfig } from './s3-client.js';
import { deleteKey, deleteKeys } from './s3-deletion.js';
import { machineCredentials } from './s3-machine-credentials.js';
import { beginParts, completeParts, listParts, signPartUrl } from './s3-parts.js';
import { SinglePartUpload } from './s3-single-part-upload.js';
import { S3Reading } from './s3-reading.js';
import { S3Requests } from './s3-requests.js';
import { abortStaleUploads, abortUpload } from './s3-stale-uploads.js';
import { leaveBodiesUnsigned, protectsBodies } from './s3-unsigned-bodies.js';
import { s3Parts, s3Upload } from './s3-upload.js';

export function createS3ObjectStore(config: S3StoreConfig): ObjectStore {
  return new S3ObjectStore(config);
}

function credentialsOf(config: S3StoreConfig, timeoutMs: number): S3ClientConfig['credentials'] {
  const { accessKeyId, secretAccessKey, sessionToken } = config;
  if (!accessKeyId || !secretAccessKey) return machineCredentials(timeoutMs);
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

class S3ObjectStore extends S3Reading implements ObjectStore {
  readonly #config: S3StoreConfig;
  readonly #singlePartUpload: SinglePartUpload;

  constructor(config: S3StoreConfig) {
    const timeoutMs = config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS;
    const signedIn: S3ClientConfig = { ...config, credentials: credentialsOf(config, timeoutMs) };
    const client = createS3Client(signedIn, config.endpoint);
    const isProtected = protectsBodies(config.endpoint);
    if (isProtected) leaveBodiesUnsigned(client);
    super(
      new S3Requests(client, config.bucket, timeoutMs),
      createS3Client(signedIn, config.publicEndpoint ?? config.endpoint),
    );
    this.#config = config;
    this.#singlePartUpload = new SinglePartUpload(client, config.bucket, !isProtected);
  }

  async put(key: string, body: Body, options: PutOptions): Promise<StoredObject> {
    return uploadBody(key, body, options, s3Upload(this.requests, this.#singlePartUpload, key, options));
  }

  putMemoryBytes(sizeBytesMax: number): number {
    return partsMemoryOf(s3Parts, sizeBytesMax);
  }

  async delete(key: string): Promise<void> {
    await deleteKey(this.requests, key);
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    await deleteKeys(this.requests, keys);
  }

  async deletePrefix(prefix: string): Promise<number> {
    return deletePrefix(this, prefix);
  }

  async abortStaleUploads(options: AbortStaleUploadsOptions): Promise<number> {
    return abortStaleUploads(this.requests, options);
  }

  beginParts(key: string): Promise<string> {
    return beginParts(this.requests, key);
  }

  signPart(key: string, options: SignPartOptions): Promise<SignedPut> {
    return signPartUrl(this.signer, this.requests.bucket, key, options);
  }

  listParts(key: string, uploadId: string, options?: ListPartsOptions): Promise<PartsPage> {
    return listParts(this.requests, key, uploadId, options);
  }

  async completeParts(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void> {
    await completeParts(this.requests, key, uploadId, parts);
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    await abortUpload(this.requests, { key, uploadId });
  }

  async ensureBucket(): Promise<void> {
    await ensureBucket(this.requests, this.#config);
  }

  async ping(): Promise<void> {
    await pingBucket(this.requests);
  }
}
