// Opens the object store that a process is configured for. Only the provider's own SDK is loaded: each takes tens of megabytes of memory.
import type { TokenCredential } from '@azure/core-auth';
import type { ObjectStore } from './object-store.port.js';
import { tracedObjectStore } from './traced-object-store.js';

/** The `KILN_STORAGE_*` variables, already validated. */
export interface StorageVariables {
  KILN_STORAGE_PROVIDER: 's3' | 'gcs' | 'azure';
  KILN_STORAGE_ENDPOINT?: string | undefined;
  KILN_STORAGE_PUBLIC_ENDPOINT?: string | undefined;
  KILN_STORAGE_BUCKET: string;
  KILN_STORAGE_REGION: string;
  KILN_STORAGE_ACCESS_KEY_ID?: string | undefined;
  KILN_STORAGE_SECRET_ACCESS_KEY?: string | undefined;
  KILN_STORAGE_FORCE_PATH_STYLE: boolean;
  KILN_STORAGE_GCS_CREDENTIALS?: string | undefined;
  KILN_STORAGE_AZURE_ACCOUNT?: string | undefined;
  KILN_STORAGE_AZURE_KEY?: string | undefined;
  KILN_STORAGE_AZURE_CONNECTION_STRING?: string | undefined;
  /** Set by Azure in pods that have an identity. Used if no key is set. */
  AZURE_CLIENT_ID?: string | undefined;
  AZURE_TENANT_ID?: string | undefined;
  AZURE_FEDERATED_TOKEN_FILE?: string | undefined;
  AZURE_AUTHORITY_HOST?: string | undefined;
}

/** Throws `invalid` when the provider's credentials are missing. Makes no request. To check the connection, call `ping`. */
export async function openObjectStore(variables: StorageVariables): Promise<ObjectStore> {
  return tracedObjectStore(await openAdapter(variables));
}

async function openAdapter(variables: StorageVariables): Promise<ObjectStore> {
  switch (variables.KILN_STORAGE_PROVIDER) {
    case 's3':
      return openS3(variables);
    case 'gcs':
      return openGcs(variables);
    case 'azure':
      return openAzure(variables);
  }
}

async function openS3(variables: StorageVariables): Promise<ObjectStore> {
  const { KILN_STORAGE_ACCESS_KEY_ID: accessKeyId, KILN_STORAGE_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  const { createS3ObjectStore } = await import('./s3/s3-object-store.js');
  return createS3ObjectStore({
    ...endpointsOf(variables),
    region: variables.KILN_STORAGE_REGION,
    bucket: variables.KILN_STORAGE_BUCKET,
    ...(accessKeyId && secretAccessKey && { accessKeyId, secretAccessKey }),
    forcePathStyle: variables.KILN_STORAGE_FORCE_PATH_STYLE,
  });
}

async function openGcs(variables: StorageVariables): Promise<ObjectStore> {
  const { KILN_STORAGE_GCS_CREDENTIALS: credentialsJson } = variables;
  const { createGcsObjectStore } = await import('./gcs/gcs-object-store.js');
  return createGcsObjectStore({
    ...endpointsOf(variables),
    bucket: variables.KILN_STORAGE_BUCKET,
    ...(credentialsJson && { credentialsJson }),
  });
}

async function openAzure(variables: StorageVariables): Promise<ObjectStore> {
  const {
    KILN_STORAGE_AZURE_ACCOUNT: accountName,
    KILN_STORAGE_AZURE_KEY: accountKey,
    KILN_STORAGE_AZURE_CONNECTION_STRING: connectionString,
  } = variables;
  const { createAzureObjectStore } = await import('./azure/azure-object-store.js');
  const token = accountKey || connectionString ? undefined : await azureIdentity(variables);
  return createAzureObjectStore({
    ...endpointsOf(variables),
    container: variables.KILN_STORAGE_BUCKET,
    ...(accountName && { accountName }),
    ...(accountKey && { accountKey }),
    ...(connectionString && { connectionString }),
    ...(token && { token }),
  });
}

async function azureIdentity(variables: StorageVariables): Promise<TokenCredential | undefined> {
  const {
    AZURE_CLIENT_ID: clientId,
    AZURE_TENANT_ID: tenantId,
    AZURE_FEDERATED_TOKEN_FILE: tokenFile,
    AZURE_AUTHORITY_HOST: authority,
  } = variables;
  if (!clientId || !tenantId || !tokenFile) return undefined;
  const { WorkloadIdentityToken } = await import('./azure/azure-workload-identity.js');
  return new WorkloadIdentityToken({ clientId, tenantId, tokenFile, ...(authority && { authority }) });
}

function endpointsOf(variables: StorageVariables): { endpoint?: string; publicEndpoint?: string } {
  const { KILN_STORAGE_ENDPOINT: endpoint, KILN_STORAGE_PUBLIC_ENDPOINT: publicEndpoint } = variables;
  return { ...(endpoint && { endpoint }), ...(publicEndpoint && { publicEndpoint }) };
}
