export type { GcsSignIn, GcsStoreConfig } from './gcs-client.js';
export { listGcsBuckets } from './gcs-buckets.js';
export { createGcsObjectStore, openGcsBucket } from './gcs-object-store.js';
export type { FederatedAccount } from './federated-account.js';
export {
  accountToken,
  type GoogleSignInEndpoints,
  type GoogleSignInOptions,
  type GoogleToken,
  type WorkloadIdentity,
} from './google-tokens.js';
