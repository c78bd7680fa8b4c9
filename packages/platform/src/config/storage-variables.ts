// Variables of a process that reads or writes the object store: an S3-compatible one, Google Cloud Storage, or Azure Blob.
import { z } from 'zod';
import { booleanVariable } from './load-config.js';

export const storageVariables = {
  KILN_STORAGE_PROVIDER: z.enum(['s3', 'gcs', 'azure']).default('s3'),
  /** Default: the provider's own address, by region for S3, by account for Azure. */
  KILN_STORAGE_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The address in signed URLs, if it differs from the one the services use. */
  KILN_STORAGE_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The bucket, or Azure's container. */
  KILN_STORAGE_BUCKET: z.string().min(1),
  KILN_STORAGE_REGION: z.string().default('us-east-1'),
  /** Both or neither. Default: the credentials that AWS gives to the machine. */
  KILN_STORAGE_ACCESS_KEY_ID: z.string().min(1).optional(),
  KILN_STORAGE_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  KILN_STORAGE_FORCE_PATH_STYLE: booleanVariable.default(false),
  /** The key file of a service account, unchanged. Default: the application default credentials of the machine. */
  KILN_STORAGE_GCS_CREDENTIALS: z
    .string()
    .refine(isServiceAccountKey, { error: 'must be the JSON key of a service account' })
    .optional(),
  /** Either these two variables or the connection string. Without a key, the account is opened with the identity of the pod. */
  KILN_STORAGE_AZURE_ACCOUNT: z.string().min(1).optional(),
  KILN_STORAGE_AZURE_KEY: z.base64({ error: 'must be the account key, which is base64' }).optional(),
  KILN_STORAGE_AZURE_CONNECTION_STRING: z
    .string()
    .regex(/(^|;)AccountName=[^]*(^|;)AccountKey=|(^|;)AccountKey=[^]*(^|;)AccountName=/, {
      error: 'must hold AccountName and AccountKey',
    })
    .optional(),
  /** Set by Azure in pods that have an identity. */
  AZURE_CLIENT_ID: z.string().optional(),
  AZURE_TENANT_ID: z.string().optional(),
  AZURE_FEDERATED_TOKEN_FILE: z.string().optional(),
  AZURE_AUTHORITY_HOST: z.url({ protocol: /^https?$/ }).optional(),
};

export type StorageConfig = Readonly<z.output<z.ZodObject<typeof storageVariables>>>;

type Name = keyof StorageConfig;

/** For `superRefine`: checks that the chosen provider has its required variables, and that no variable of another provider is set. */
export function checkStorageVariables(given: StorageConfig, context: z.RefinementCtx): void {
  const provider = given.KILN_STORAGE_PROVIDER;
  const complain = (name: Name, message: string): void => {
    context.addIssue({ code: 'custom', path: [name], message });
  };
  const isGiven = (name: Name): boolean => given[name] !== undefined;
  if (provider === 's3') {
    const pair = ['KILN_STORAGE_ACCESS_KEY_ID', 'KILN_STORAGE_SECRET_ACCESS_KEY'] as const;
    if (pair.some(isGiven))
      for (const name of pair) if (!isGiven(name)) complain(name, 'is required beside the other key');
  }
  if (provider === 'azure') checkAzure(given, complain);
  for (const [owner, names] of Object.entries(OWNED)) {
    for (const name of names) {
      if (owner !== provider && isGiven(name))
        complain(name, `belongs to KILN_STORAGE_PROVIDER=${owner}, not ${provider}`);
    }
  }
}

const OWNED: Record<'gcs' | 'azure', readonly Name[]> = {
  gcs: ['KILN_STORAGE_GCS_CREDENTIALS'],
  azure: ['KILN_STORAGE_AZURE_ACCOUNT', 'KILN_STORAGE_AZURE_KEY', 'KILN_STORAGE_AZURE_CONNECTION_STRING'],
};

function checkAzure(given: StorageConfig, complain: (name: Name, message: string) => void): void {
  const isGiven = (name: Name): boolean => given[name] !== undefined;
  const pair = ['KILN_STORAGE_AZURE_ACCOUNT', 'KILN_STORAGE_AZURE_KEY'] as const;
  if (isGiven('KILN_STORAGE_AZURE_CONNECTION_STRING')) {
    for (const name of pair)
      if (isGiven(name)) complain(name, 'cannot be combined with KILN_STORAGE_AZURE_CONNECTION_STRING');
    return;
  }
  if (!isGiven('KILN_STORAGE_AZURE_ACCOUNT')) {
    complain('KILN_STORAGE_AZURE_ACCOUNT', 'is required for Azure, unless KILN_STORAGE_AZURE_CONNECTION_STRING is set');
  }
  if (isGiven('KILN_STORAGE_AZURE_KEY')) return;
  if (!isGiven('AZURE_FEDERATED_TOKEN_FILE')) {
    const others = 'KILN_STORAGE_AZURE_CONNECTION_STRING or AZURE_FEDERATED_TOKEN_FILE';
    complain('KILN_STORAGE_AZURE_KEY', `is required for Azure, unless ${others} is set`);
    return;
  }
  for (const name of ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'] as const) {
    if (!isGiven(name)) complain(name, 'is required beside AZURE_FEDERATED_TOKEN_FILE');
  }
  if (given.KILN_STORAGE_ENDPOINT?.startsWith('http:')) {
    complain('KILN_STORAGE_ENDPOINT', 'must be an https address, because tokens are not sent without TLS');
  }
}

function isServiceAccountKey(text: string): boolean {
  try {
    const key = JSON.parse(text) as { client_email?: unknown; private_key?: unknown } | null;
    return typeof key?.client_email === 'string' && typeof key.private_key === 'string';
  } catch {
    return false;
  }
}
