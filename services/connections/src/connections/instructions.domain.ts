// How the owner of a bucket grants Kiln access, by provider.
import { requiredFields, storageProviderOf, type StorageProviderId } from '@kiln/contracts';
import type { KeySet } from '../external-buckets/domain/key-set.js';

export interface Instructions {
  /** For roles: the principal that the role must trust, and the external id to require. */
  role_arn?: string;
  external_id?: string;
  /** For workload identity federation: who issues Kiln's tokens, whom they name, and the keys that sign them. */
  issuer?: string;
  subject?: string;
  jwks?: KeySet;
  steps: string[];
  required_fields: string[];
}

export interface Installation {
  /** A TypeID. Also the external id and the subject: because callers cannot choose it, they cannot use the roles and pools of others. */
  organizationId: string;
  /** The ARN of Kiln's own identity. Undefined when the operator configured none. */
  awsPrincipal: string | undefined;
  /** Null when the operator configured no issuer. */
  oidc: { issuer: string; jwks: KeySet } | null;
}

const READ_RIGHTS =
  's3:ListBucket on the bucket and s3:GetObject on its objects (and s3:PutObject, if Kiln uploads there; kms:Decrypt on the key, if ' +
  'AWS KMS encrypts the objects)';
/** A placeholder while the operator has configured no principal. */
const PRINCIPAL_UNKNOWN = 'arn:aws:iam::<account of this Kiln>:role/<role of this Kiln>';

export function instructionsFor(provider: StorageProviderId, installation: Installation): Instructions {
  if (provider === 's3') return roleInstructions(installation);
  if (provider === 'gcs') return serviceAccountInstructions(installation);
  if (provider === 'container_blob') {
    return { steps: SERVICE_PRINCIPAL, required_fields: [...requiredFields.service_principal] };
  }
  return accessKeyInstructions(provider);
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html */
function roleInstructions({ organizationId, awsPrincipal }: Installation): Instructions {
  const unknown =
    'The operator has configured no AWS principal (KILN_CONNECTIONS_AWS_PRINCIPAL): ask the operator, or connect with an ' +
    'access key {access_key_id, secret_access_key} instead.';
  return {
    role_arn: awsPrincipal ?? PRINCIPAL_UNKNOWN,
    external_id: organizationId,
    steps: [
      ...(awsPrincipal === undefined ? [unknown] : []),
      'In your AWS account, create an IAM role with a custom trust policy.',
      `Let the policy allow sts:AssumeRole to the principal ${awsPrincipal ?? PRINCIPAL_UNKNOWN} on the condition ` +
        `StringEquals sts:ExternalId "${organizationId}".`,
      `Give the role ${READ_RIGHTS}.`,
      'Send POST /v1/connections/verify with provider s3, the bucket, its region, and credentials {role_arn, external_id}: the ' +
        'ARN of your role, and the external id above.',
    ],
    required_fields: [...requiredFields.role_assumption],
  };
}

function serviceAccountInstructions({ organizationId, oidc }: Installation): Instructions {
  const required_fields = [...requiredFields.service_account];
  if (oidc === null) return { steps: [...SERVICE_ACCOUNT, ...KEY], required_fields };
  return {
    ...oidc,
    subject: organizationId,
    steps: [...SERVICE_ACCOUNT, ...KEY, ...poolSteps(oidc.issuer, organizationId)],
    required_fields,
  };
}

const SERVICE_ACCOUNT = [
  'In your Google Cloud project, create a service account.',
  'Grant it the role Storage Object Viewer on the bucket (Storage Object User, if Kiln uploads there).',
];
const KEY = [
  'Create a key of the type JSON for it.',
  'Send POST /v1/connections/verify with provider gcs, the bucket, and the unchanged JSON key as credentials.',
];

/** https://cloud.google.com/iam/docs/workload-identity-federation-with-other-providers */
const poolSteps = (issuer: string, subject: string): string[] => [
  'Or, in place of a key, create a workload identity pool: gcloud iam workload-identity-pools create POOL --location global',
  'Save `jwks` of this response as jwks.json, and create a provider in the pool: gcloud iam workload-identity-pools providers create-oidc ' +
    `PROVIDER --location global --workload-identity-pool POOL --issuer-uri ${issuer} --jwk-json-path jwks.json ` +
    '--attribute-mapping google.subject=assertion.sub',
  'On the service account, grant Workload Identity User (roles/iam.workloadIdentityUser) to ' +
    `principal://iam.googleapis.com/projects/NUMBER/locations/global/workloadIdentityPools/POOL/subject/${subject} and never to the ` +
    'whole pool: all organizations of this Kiln have the same issuer.',
  'On the service account, grant it Service Account Token Creator (roles/iam.serviceAccountTokenCreator) to itself, so that Kiln can sign ' +
    'URLs as it. Enable the IAM Service Account Credentials API and the Security Token Service API in the project.',
  'Send POST /v1/connections/verify with provider gcs, the bucket, and credentials {type: "external_account", audience, ' +
    'service_account_impersonation_url}, as gcloud iam workload-identity-pools create-cred-config writes them with --service-account. ' +
    'Kiln ignores the other fields of that file.',
];

const SERVICE_PRINCIPAL = [
  'In Microsoft Entra ID, register an application and add a client secret to it.',
  'On the storage account or container, give the application the role Storage Blob Data Reader (Contributor, if Kiln ' +
    'uploads there), and on the account Storage Blob Delegator, which signs download links.',
  'Send POST /v1/connections/verify with provider container_blob, the container as bucket, and credentials {tenant_id, ' +
    'client_id, client_secret, account_name}; or {account_name, account_key} with a key of the account; or {account_name, sas_token} with a ' +
    'shared access signature, which gives no links to objects.',
];

function accessKeyInstructions(provider: StorageProviderId): Instructions {
  const { name, endpoint, endpointExample } = storageProviderOf(provider);
  const where =
    endpoint === undefined
      ? `and credentials {access_key_id, secret_access_key, endpoint}; the endpoint looks like ${endpointExample}.`
      : `the bucket's region, and credentials {access_key_id, secret_access_key}; the endpoint then is ${endpoint}.`;
  return {
    steps: [
      `At ${name}, create an access key that may list the bucket and read its objects (and write them, if Kiln shall upload ` +
        'there).',
      `Send POST /v1/connections/verify with provider ${provider}, the bucket, ${where}`,
    ],
    required_fields: [...requiredFields.access_key, ...(endpoint === undefined ? ['endpoint'] : [])],
  };
}
