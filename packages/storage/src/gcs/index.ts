export type { GcsStoreConfig } from './gcs-client.js';
export { createGcsObjectStore } from './gcs-object-store.js';
