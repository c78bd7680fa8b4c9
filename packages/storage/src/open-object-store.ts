// From a process's configuration to its object store.
import type { ObjectStore } from './object-store.port.js';
import { createS3ObjectStore } from './s3/s3-object-store.js';

/** The `KILN_STORAGE_*` variables, already validated. */
export interface StorageVariables {
  KILN_STORAGE_ENDPOINT?: string | undefined;
  KILN_STORAGE_PUBLIC_ENDPOINT?: string | undefined;
  KILN_STORAGE_REGION: string;
  KILN_STORAGE_BUCKET: string;
  KILN_STORAGE_ACCESS_KEY_ID: string;
  KILN_STORAGE_SECRET_ACCESS_KEY: string;
  KILN_STORAGE_FORCE_PATH_STYLE: boolean;
}

export function openObjectStore(variables: StorageVariables): ObjectStore {
  const { KILN_STORAGE_ENDPOINT: endpoint, KILN_STORAGE_PUBLIC_ENDPOINT: publicEndpoint } = variables;
  return createS3ObjectStore({
    ...(endpoint ? { endpoint } : {}),
    ...(publicEndpoint ? { publicEndpoint } : {}),
    region: variables.KILN_STORAGE_REGION,
    bucket: variables.KILN_STORAGE_BUCKET,
    accessKeyId: variables.KILN_STORAGE_ACCESS_KEY_ID,
    secretAccessKey: variables.KILN_STORAGE_SECRET_ACCESS_KEY,
    forcePathStyle: variables.KILN_STORAGE_FORCE_PATH_STYLE,
  });
}
