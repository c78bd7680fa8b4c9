export type { AzureSignIn, AzureStoreConfig } from './azure-client.js';
export { ClientSecretToken, type ClientSecretConfig } from './azure-client-secret.js';
export { WorkloadIdentityToken, type WorkloadIdentityConfig } from './azure-workload-identity.js';
export { listAzureContainers } from './azure-containers.js';
export { createAzureObjectStore, openAzureContainer } from './azure-object-store.js';
