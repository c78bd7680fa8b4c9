export { assumedRole, type AssumedRoleConfig } from './s3-assumed-role.js';
export type { S3ClientConfig, S3Keys, S3StoreConfig } from './s3-client.js';
export { createS3ObjectStore } from './s3-object-store.js';
export { listS3Buckets, openS3Bucket, type S3BucketConfig } from './s3-external-bucket.js';
