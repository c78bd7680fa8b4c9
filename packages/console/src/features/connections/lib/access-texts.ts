// Policies, commands and CORS rules that give Kiln access to a bucket, to be copied. They name the values of the form, or placeholders.
import type { CredentialKind, Provider } from './providers.js';

export interface AccessText {
  title: string;
  about: string;
  text: string;
}

export interface AccessOptions {
  provider: Provider;
  kind: CredentialKind;
  bucket: string;
  prefix: string;
  endpoint: string;
  account: string;
  /** Whether files are uploaded into the bucket through Kiln. */
  mayUpload: boolean;
  /** What a role must trust. */
  roleArn: string | undefined;
  externalId: string | undefined;
}

export const accessTexts = (options: AccessOptions): AccessText[] => [...rightsOf(options), ...corsOf(options)];

function rightsOf(options: AccessOptions): AccessText[] {
  const { provider, kind, roleArn, externalId } = options;
  if (provider === 'gcs') return [googleCommands(options)];
  if (provider === 'container_blob') return kind === 'servicePrincipal' ? [azureCommands(options)] : [];
  if (provider === 'b2') return [backblazeCommand(options)];
  if (!['s3', 'selfhost_s3', 'hot_store'].includes(provider)) return [];
  const rights = { title: 'Policy', about: rightsAbout(kind), text: json(rightsPolicy(options)) };
  if (kind !== 'role' || roleArn === undefined || externalId === undefined) return [rights];
  return [
    {
      title: 'Trust policy',
      about: 'The trust policy of your role. Only Kiln can assume the role, and only for your organization.',
      text: json(trustPolicy(roleArn, externalId)),
    },
    rights,
  ];
}

const rightsAbout = (kind: CredentialKind) =>
  kind === 'role' ? 'The permissions policy of your role.' : 'The policy of the user that has the access key.';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const named = (value: string, placeholder: string) => (value.trim() === '' ? `<${placeholder}>` : value.trim());

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html */
const trustPolicy = (roleArn: string, externalId: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: roleArn },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': externalId } },
    },
  ],
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-policies-s3.html */
function rightsPolicy({ bucket, prefix, mayUpload }: AccessOptions) {
  const resource = `arn:aws:s3:::${named(bucket, 'bucket')}`;
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: resource,
        ...(prefix !== '' && { Condition: { StringLike: { 's3:prefix': `${prefix}*` } } }),
      },
      {
        Effect: 'Allow',
        Action: mayUpload ? ['s3:GetObject', 's3:PutObject'] : 's3:GetObject',
        Resource: `${resource}/${prefix}*`,
      },
    ],
  };
}

/** https://www.backblaze.com/docs/cloud-storage-command-line-tools */
const backblazeCommand = ({ bucket, mayUpload }: AccessOptions): AccessText => ({
  title: 'Command',
  about: 'Creates the key with the command-line tool of Backblaze.',
  text: `b2 key create --bucket ${named(bucket, 'bucket')} kiln listBuckets,listFiles,readFiles${mayUpload ? ',writeFiles' : ''}`,
});

/** https://cloud.google.com/storage/docs/access-control/iam-roles */
const googleCommands = ({ bucket, mayUpload }: AccessOptions): AccessText => ({
  title: 'Commands',
  about: 'Create the service account, its role on the bucket, and its key. Paste the content of key.json below.',
  text: `gcloud iam service-accounts create kiln --project <project>
gcloud storage buckets add-iam-policy-binding gs://${named(bucket, 'bucket')} \\
  --member serviceAccount:kiln@<project>.iam.gserviceaccount.com \\
  --role roles/storage.${mayUpload ? 'objectUser' : 'objectViewer'}
gcloud iam service-accounts keys create key.json \\
  --iam-account kiln@<project>.iam.gserviceaccount.com`,
});

/** https://learn.microsoft.com/azure/storage/blobs/assign-azure-role-data-access */
function azureCommands({ account, mayUpload }: AccessOptions): AccessText {
  const resource = `/subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.Storage/storageAccounts/${named(account, 'account')}`;
  return {
    title: 'Commands',
    about: 'Create the application with its two roles. The first prints appId, password and tenant.',
    text: `az ad sp create-for-rbac --name kiln \\
  --role "Storage Blob Data ${mayUpload ? 'Contributor' : 'Reader'}" \\
  --scopes ${resource}
az role assignment create --assignee <appId> --role "Storage Blob Delegator" \\
  --scope ${resource}`,
  };
}

const ORIGIN = 'https://app.example.com';
const METHODS = ['GET', 'HEAD', 'PUT'];
const MAX_AGE_SECONDS = 3_600;
const CORS_ABOUT =
  'Only for web pages that load from the bucket, or upload into it, by signed URLs. Replace the origin with that of your pages.';

const s3Rules = [
  {
    AllowedOrigins: [ORIGIN],
    AllowedMethods: METHODS,
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: MAX_AGE_SECONDS,
  },
];

/** Wasabi, Supabase and MinIO permit all origins. */
function corsOf({ provider, bucket, endpoint, account }: AccessOptions): AccessText[] {
  const rule = (title: string, text: string): AccessText[] => [{ title, about: CORS_ABOUT, text }];
  if (provider === 's3' || provider === 'r2') return rule('CORS rules', json(s3Rules));
  if (provider === 'b2' || provider === 'spaces_store') {
    const url = named(endpoint, 'endpoint');
    return rule(
      'CORS command',
      `aws s3api put-bucket-cors --endpoint-url ${url} --bucket ${named(bucket, 'bucket')} \\
  --cors-configuration '${JSON.stringify({ CORSRules: s3Rules })}'`,
    );
  }
  if (provider === 'gcs') return rule('CORS commands', googleCors(named(bucket, 'bucket')));
  if (provider === 'container_blob') {
    return rule(
      'CORS command',
      `az storage cors add --services b --account-name ${named(account, 'account')} --origins ${ORIGIN} \\
  --methods ${METHODS.join(' ')} --allowed-headers '*' --exposed-headers ETag --max-age ${MAX_AGE_SECONDS}`,
    );
  }
  return [];
}

/** https://cloud.google.com/storage/docs/using-cors */
const googleCors = (bucket: string) =>
  `cat > cors.json <<'END'
${json([
  {
    origin: [ORIGIN],
    method: METHODS,
    responseHeader: ['Content-Type', 'ETag', 'x-goog-content-length-range'],
    maxAgeSeconds: MAX_AGE_SECONDS,
  },
])}
END
gcloud storage buckets update gs://${bucket} --cors-file=cors.json`;
