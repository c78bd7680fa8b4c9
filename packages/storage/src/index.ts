export { contentDisposition } from './content-disposition.js';
export type {
  GetOptions,
  ListedObject,
  ListOptions,
  ObjectBody,
  ObjectHead,
  ObjectPage,
  ObjectStore,
  PutOptions,
  SignGetOptions,
  SignPutOptions,
} from './object-store.port.js';
export type { S3StoreConfig } from './s3-client.js';
export { createS3ObjectStore } from './s3-object-store.js';
export { StorageError, type StorageErrorCode } from './storage.errors.js';
export { openObjectStore, type StorageVariables } from './open-object-store.js';
