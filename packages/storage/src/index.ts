export type { Bucket, BucketSummary } from './bucket.port.js';
export type { ChangeQueue, QueueMessage, QueueReceipt, ReceiveOptions } from './queues/change-queue.port.js';
export { contentDisposition } from './content-disposition.js';
export { inParallel } from './in-parallel.js';
export type { HttpAgents } from './http-agents.js';
export { utf8Order, type KeyOrder } from './key-order.js';
export { ListingNotProvenError } from './listing-not-proven.error.js';
export { ObjectArchivedError } from './object-archived.error.js';
export { listPages } from './list-pages.js';
export type {
  AbortStaleUploadsOptions,
  GetOptions,
  ListedObject,
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
  UnfinishedUpload,
} from './object-store.port.js';
export { NoOwnCredentialsError, StorageError, type StorageErrorCode, KEPT_RETRY_AFTER } from './storage.errors.js';
export { secondsSigned } from './signed-url-expiry.js';
export { decodeKey, keyOfBytes } from './s3/s3-shapes.js';
export { openObjectStore, type StorageVariables } from './open-object-store.js';
