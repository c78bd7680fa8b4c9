export type { S3StoreConfig } from './s3-client.js';
export { createS3ObjectStore } from './s3-object-store.js';
