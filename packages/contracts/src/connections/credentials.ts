// Credentials of a bucket, by kind. They are validated on input, sealed at rest, and never returned. Fields that a kind
// does not define are dropped, so that the key file of a service account can be sent unchanged.
import { z } from 'zod';
import { storageProviderOf, type ConnectionAuthType, type StorageProviderId } from './providers.js';

const URL_LENGTH_MAX = 2_048;

/** Sent in a header, so only visible ASCII without spaces is allowed. */
const word = (lengthMax: number) =>
  z.string({ error: 'is required, as text' }).regex(new RegExp(`^[\\x21-\\x7e]{1,${lengthMax}}$`), {
    error: `must be 1 to ${lengthMax} visible ASCII characters without spaces`,
  });

const matching = (pattern: RegExp, error: string) =>
  z.string({ error: 'is required, as text' }).regex(pattern, { error });

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
}

/** The connections service checks whether the address is allowed. */
const endpointSchema = z
  .string({ error: 'must be text' })
  .max(URL_LENGTH_MAX, { error: `must be at most ${URL_LENGTH_MAX} characters` })
  .refine(isBaseUrl, { error: 'must be a base URL such as https://s3.example.com, without user, query and fragment' });

const accountName = matching(/^[a-z0-9]{3,24}$/, 'must be a storage account: 3 to 24 lower-case letters and digits');

const projectId = matching(/^[a-z0-9.:-]{1,128}$/, 'must be the id of a project');

/**
 * Whether a token signs for reading and listing: of a container, or of an account. A stored access policy (`si`) may contain the permissions.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas, …/create-account-sas
 */
function readsContainer(token: string): boolean {
  const given = new URLSearchParams(token);
  const has = (name: string, letters: string) => letters.split('').every((letter) => given.get(name)?.includes(letter));
  const isWhole = has('sr', 'c') || (has('ss', 'b') && has('srt', 'co'));
  return isWhole && given.has('sig') && (given.has('si') || has('sp', 'rl'));
}

/** If a provider has several kinds, the kind follows from a field that only one of them has, or from `type`. */
export const credentialKinds = {
  accessKey: z.object({
    access_key_id: word(256),
    secret_access_key: word(1_024),
    endpoint: endpointSchema.nullish(),
    session_token: word(8_192).nullish(),
  }),
  role: z.object({
    role_arn: matching(
      /^arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
      'must be the ARN of a role, such as arn:aws:iam::123456789012:role/kiln',
    ),
    /** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
    external_id: matching(/^[\w+=,.@:/-]{2,1224}$/, 'must be the external_id that POST /v1/connections/start returns'),
  }),
  serviceAccount: z.object({
    type: z.literal('service_account', {
      error: 'must be "service_account": give the JSON key of a service account',
    }),
    client_email: matching(/^[^\s@]{1,256}@[^\s@]{1,256}$/, 'must be the address of a service account'),
    private_key: matching(/^-----BEGIN (RSA )?PRIVATE KEY-----[^]{1,16384}$/, 'must be a private key in PEM'),
    private_key_id: word(256).nullish(),
    project_id: projectId.nullish(),
  }),
  /** The file that `gcloud iam workload-identity-pools create-cred-config` writes. The files and URLs that it names are dropped. */
  workloadIdentity: z.object({
    type: z.literal('external_account'),
    audience: matching(
      /^\/\/iam\.googleapis\.com\/projects\/\d{1,20}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32}$/,
      'must be the name of a provider in a workload identity pool, such as ' +
        '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/kiln/providers/kiln',
    ),
    service_account_impersonation_url: matching(
      /^https:\/\/iamcredentials\.googleapis\.com\/v1\/projects\/-\/serviceAccounts\/[a-z0-9-]{1,63}@[a-z0-9.-]{1,190}:generateAccessToken$/,
      'must name a service account, as create-cred-config writes it with --service-account',
    ),
    project_id: projectId.nullish(),
  }),
  servicePrincipal: z.object({
    tenant_id: matching(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, 'must be the id or domain of a directory'),
    client_id: matching(/^[A-Za-z0-9-]{1,64}$/, 'must be the id of an application'),
    client_secret: word(1_024),
    account_name: accountName,
  }),
  accountKey: z.object({
    account_name: accountName,
    account_key: z
      .base64({ error: 'must be a key of the storage account, which is base64' })
      .min(1, { error: 'must not be empty' })
      .max(1_024),
  }),
  sharedAccessSignature: z.object({
    account_name: accountName,
    sas_token: word(2_048)
      .transform((token) => token.replace(/^\?/, ''))
      .refine(readsContainer, {
        error:
          'must be the token of a shared access signature that may read and list (sp=rl) a container (sr=c), or an account (ss=b, srt=co). Give ' +
          'the part after the question mark',
      }),
  }),
} as const;

export type CredentialKind = keyof typeof credentialKinds;
export type CredentialsOf<Kind extends CredentialKind> = z.output<(typeof credentialKinds)[Kind]>;

/** Credentials with their kind, as a caller gave them. */
export type GivenBucketCredentials = { [Kind in CredentialKind]: { kind: Kind } & CredentialsOf<Kind> }[CredentialKind];

type GivenIdentity = Extract<GivenBucketCredentials, { kind: 'workloadIdentity' }>;
/** `subject` is the organization. A caller cannot choose it, or it could use the identity pools of others. */
export type FederatedCredentials = GivenIdentity & { subject: string };

/** Credentials as the connections service seals them. */
export type BucketCredentials = Exclude<GivenBucketCredentials, GivenIdentity> | FederatedCredentials;

export const authTypeOf: Record<CredentialKind, ConnectionAuthType> = {
  accessKey: 'access_key',
  role: 'role_assumption',
  serviceAccount: 'service_account',
  workloadIdentity: 'service_account',
  servicePrincipal: 'service_principal',
  accountKey: 'service_principal',
  sharedAccessSignature: 'service_principal',
};

/** The required fields, by authentication type. */
export const requiredFields: Record<ConnectionAuthType, readonly string[]> = {
  access_key: ['access_key_id', 'secret_access_key'],
  role_assumption: ['role_arn', 'external_id'],
  service_account: ['type', 'client_email', 'private_key'],
  service_principal: ['tenant_id', 'client_id', 'client_secret', 'account_name'],
};

export type GivenCredentials = Readonly<Record<string, unknown>>;

export function credentialKindOf(provider: StorageProviderId, given: GivenCredentials): CredentialKind {
  if (provider === 's3') return 'role_arn' in given || 'external_id' in given ? 'role' : 'accessKey';
  if (provider === 'gcs') return given['type'] === 'external_account' ? 'workloadIdentity' : 'serviceAccount';
  if (provider === 'container_blob') {
    if ('sas_token' in given) return 'sharedAccessSignature';
    return 'account_key' in given ? 'accountKey' : 'servicePrincipal';
  }
  return 'accessKey';
}

/** Throws if the credentials were not validated by a schema first. */
export function parseCredentials(provider: StorageProviderId, given: GivenCredentials): GivenBucketCredentials {
  const kind = credentialKindOf(provider, given);
  return { kind, ...credentialKinds[kind].parse(given) } as GivenBucketCredentials;
}

interface WithCredentials {
  provider: StorageProviderId;
  region?: string | null | undefined;
  credentials?: GivenCredentials | null | undefined;
}

/**
 * For `superRefine`: checks that the provider accepts this kind of credentials, and that an endpoint is given if the provider has
 * no default.
 */
export function checkCredentials({ provider, region, credentials }: WithCredentials, context: z.RefinementCtx): void {
  if (!credentials) return;
  const complain = (path: readonly PropertyKey[], message: string): void => {
    context.addIssue({ code: 'custom', path: ['credentials', ...path], message });
  };
  const kind = credentialKindOf(provider, credentials);
  const result = credentialKinds[kind].safeParse(credentials);
  for (const { path, message } of result.error?.issues ?? []) complain(path, message);
  const { name, endpoint, endpointExample } = storageProviderOf(provider);
  if (provider === 's3' || kind !== 'accessKey' || credentials['endpoint'] != null) return;
  if (endpoint === undefined) complain(['endpoint'], `is required for ${name}: ${endpointExample}`);
  else if (region == null) complain(['endpoint'], `is required for ${name} unless region is given`);
}
