// The form that connects a bucket, and the request that it becomes.
import type { Schemas } from '@kiln/sdk';
import { noSyncPolicy, syncPolicyChanges, type SyncPolicy } from './sync-policy.js';
import { providerForms, type CredentialKind, type Provider } from './providers.js';

export type VerifyRequest = Schemas['VerifyConnectionRequest'];

export interface Field {
  name: string;
  title: string;
  isSecret?: true;
  /** A text of several lines. */
  isLong?: true;
  example?: string;
}

const accountName: Field = { name: 'account_name', title: 'Storage account' };

/** `key_file` is the JSON key of a service account, and `configuration` the file of workload identity federation. */
const fields: Record<CredentialKind, readonly Field[]> = {
  role: [{ name: 'role_arn', title: 'ARN of your role', example: 'arn:aws:iam::123456789012:role/kiln' }],
  accessKey: [
    { name: 'access_key_id', title: 'Access key id' },
    { name: 'secret_access_key', title: 'Secret access key', isSecret: true },
  ],
  serviceAccount: [{ name: 'key_file', title: 'JSON key', isSecret: true, isLong: true }],
  workloadIdentity: [{ name: 'configuration', title: 'Configuration of the identity pool', isLong: true }],
  servicePrincipal: [
    { name: 'tenant_id', title: 'Directory (tenant) id' },
    { name: 'client_id', title: 'Application (client) id' },
    { name: 'client_secret', title: 'Client secret', isSecret: true },
    accountName,
  ],
  accountKey: [accountName, { name: 'account_key', title: 'Key of the account', isSecret: true }],
  sharedAccessSignature: [
    accountName,
    { name: 'sas_token', title: 'Signature, after the question mark', isSecret: true },
  ],
};

export function fieldsOf(provider: Provider, kind: CredentialKind): readonly Field[] {
  const { endpoint } = providerForms[provider];
  if (endpoint === undefined) return fields[kind];
  return [{ name: 'endpoint', title: 'Endpoint', example: endpoint }, ...fields[kind]];
}

export interface Credentials {
  kind: CredentialKind;
  values: Readonly<Record<string, string>>;
}

/** For files that are made of objects. */
export interface FilePolicy {
  space: string;
  /** Whether a file stays when its object is gone. */
  isKept: boolean;
}

export interface SetupForm {
  name: string;
  bucket: string;
  region: string;
  prefix: string;
  /** Whether the store lists keys in no order. */
  isUnsorted: boolean;
  files: FilePolicy;
  syncs: SyncPolicy;
  credentials: Credentials;
}

export const emptyForm = (provider: Provider): SetupForm => ({
  name: '',
  bucket: '',
  region: '',
  prefix: '',
  isUnsorted: false,
  files: { space: '', isKept: false },
  syncs: noSyncPolicy,
  credentials: { kind: providerForms[provider].kinds[0], values: {} },
});

/** Null while something is missing. Only a role needs `externalId`, the external id of the organization. */
export function credentialsOf(
  provider: Provider,
  { kind, values }: Credentials,
  externalId: string | undefined,
): Record<string, unknown> | null {
  const valueOf = (name: string) => (values[name] ?? '').trim();
  if (fieldsOf(provider, kind).some(({ name }) => valueOf(name) === '')) return null;
  if (kind === 'serviceAccount') return objectOf(valueOf('key_file'));
  if (kind === 'workloadIdentity') return objectOf(valueOf('configuration'));
  const credentials = Object.fromEntries(fieldsOf(provider, kind).map(({ name }) => [name, valueOf(name)]));
  if (kind !== 'role') return credentials;
  return externalId === undefined ? null : { ...credentials, external_id: externalId };
}

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Null while something is missing. */
export function requestOf(provider: Provider, form: SetupForm, externalId: string | undefined): VerifyRequest | null {
  const [bucket, region, name] = [form.bucket.trim(), form.region.trim(), form.name.trim()];
  const credentials = credentialsOf(provider, form.credentials, externalId);
  if (!credentials || bucket === '' || isRegionMissing(provider, region)) return null;
  return {
    provider,
    name: name === '' ? bucket : name,
    bucket,
    ...(region !== '' && { region }),
    // Blanks may be part of a key.
    ...(form.prefix !== '' && { prefix: form.prefix }),
    ...(form.isUnsorted && { listing_order: 'unsorted' }),
    ...(form.files.space.trim() !== '' && { space: form.files.space.trim() }),
    ...(form.files.isKept && { on_delete: 'keep' }),
    ...syncPolicyChanges(form.syncs, noSyncPolicy),
    credentials,
  };
}

export const isRegionMissing = (provider: Provider, region: string): boolean =>
  providerForms[provider].region === 'needed' && region.trim() === '';

const NOT_SECRET = [
  'endpoint',
  'access_key_id',
  'role_arn',
  'external_id',
  'type',
  'audience',
  'service_account_impersonation_url',
  'tenant_id',
  'client_id',
  'account_name',
];

/** The request with names of fields in place of the secrets: what is copied contains none. */
export function withoutSecrets<Request extends { credentials: object }>(request: Request): Request {
  const credentials = Object.entries(request.credentials).map(([name, value]: [string, unknown]) => [
    name,
    NOT_SECRET.includes(name) ? value : `<${name}>`,
  ]);
  return { ...request, credentials: Object.fromEntries(credentials) };
}
