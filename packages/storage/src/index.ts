export { contentDisposition } from './content-disposition.js';
export { listPages } from './list-pages.js';
export type {
  AbortStaleUploadsOptions,
  GetOptions,
  ListedObject,
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
} from './object-store.port.js';
export { StorageError, type StorageErrorCode } from './storage.errors.js';
export { openObjectStore, type StorageVariables } from './open-object-store.js';
