export type { GcsStoreConfig } from './gcs-client.js';
export { listGcsBuckets } from './gcs-buckets.js';
export { createGcsObjectStore, openGcsBucket } from './gcs-object-store.js';
