export type { AzureStoreConfig } from './azure-client.js';
export { createAzureObjectStore } from './azure-object-store.js';
