// Keys and roles of the providers with a language of their own.
import { json, named, type AccessOptions, type AccessText } from './access-options.js';
import { shellWord } from './shell-word.js';

/** https://www.backblaze.com/docs/cloud-storage-application-key-capabilities */
export function backblazeKey({ bucket, prefix, mayUpload }: AccessOptions): AccessText {
  const below = prefix === '' ? '' : ` --name-prefix ${shellWord(prefix)}`;
  const capabilities = `listBuckets,listFiles,readFiles${mayUpload ? ',writeFiles' : ''}`;
  return {
    title: 'Command',
    about: 'Creates the key with the command-line tool of Backblaze.',
    text: `b2 key create --bucket ${shellWord(named(bucket, 'bucket'))}${below} kiln ${capabilities}`,
  };
}

/** https://docs.digitalocean.com/reference/doctl/reference/spaces/keys/create/ */
export const spacesKey = ({ bucket, mayUpload }: AccessOptions): AccessText => ({
  title: 'Command',
  about: 'Creates the key with the command-line tool of DigitalOcean. It is valid for the whole bucket.',
  text: `doctl spaces keys create kiln --grants ${shellWord(
    `bucket=${named(bucket, 'bucket')};permission=${mayUpload ? 'readwrite' : 'read'}`,
  )}`,
});

const R2_ITEM_READ = { id: '6a018a9f2fc74eb6b293b0c548f38b39', name: 'Workers R2 Storage Bucket Item Read' };
/** Permits reading too. */
const R2_ITEM_WRITE = { id: '2efd5506f9c8494dacb1fa10a3e7d5b6', name: 'Workers R2 Storage Bucket Item Write' };
/** The account, and the jurisdiction unless it is the default. */
const R2_ENDPOINT = /^https:\/\/([\da-f]+)\.(?:(\w+)\.)?r2\.cloudflarestorage\.com/;

/** https://developers.cloudflare.com/r2/api/tokens/ */
export function r2Token({ bucket, endpoint, mayUpload }: AccessOptions): AccessText {
  const [, account = '<account id>', jurisdiction = 'default'] = R2_ENDPOINT.exec(endpoint) ?? [];
  const resource = `com.cloudflare.edge.r2.bucket.${account}_${jurisdiction}_${named(bucket, 'bucket')}`;
  return {
    title: 'API token',
    about:
      'The body of POST /accounts/<account id>/tokens of the API of Cloudflare. The id of the token is the access key id; the SHA-256 digest of ' +
      'its value, in hex, is the secret access key. It is valid for the whole bucket.',
    text: json({
      name: 'kiln',
      policies: [
        {
          effect: 'allow',
          permission_groups: [mayUpload ? R2_ITEM_WRITE : R2_ITEM_READ],
          resources: { [resource]: '*' },
        },
      ],
    }),
  };
}

/** https://cloud.google.com/storage/docs/access-control/iam-roles */
export function googleRole({ kind, bucket, prefix, mayUpload }: AccessOptions): AccessText {
  const name = named(bucket, 'bucket');
  const condition = prefix === '' ? '' : `cat > condition.json <<'END'\n${json(googleCondition(name, prefix))}\nEND\n`;
  const account = "'kiln@<project>.iam.gserviceaccount.com'";
  const hasKey = kind !== 'workloadIdentity';
  const key = hasKey ? `\ngcloud iam service-accounts keys create key.json --iam-account ${account}` : '';
  return {
    title: 'Commands',
    about: hasKey
      ? 'Create the service account, its role on the bucket, and its key. The credentials are the content of key.json.'
      : 'Create the service account and its role on the bucket.',
    text: `gcloud iam service-accounts create kiln --project '<project>'
${condition}gcloud storage buckets add-iam-policy-binding ${shellWord(`gs://${name}`)} \\
  --member 'serviceAccount:kiln@<project>.iam.gserviceaccount.com' \\
  --role roles/storage.${mayUpload ? 'objectUser' : 'objectViewer'}${prefix === '' ? '' : ' \\\n  --condition-from-file condition.json'}${key}`,
  };
}

/** https://cloud.google.com/iam/docs/conditions-attribute-reference */
function googleCondition(bucket: string, prefix: string) {
  const object = JSON.stringify(`projects/_/buckets/${bucket}/objects/${prefix}`);
  const listed = `api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith(${JSON.stringify(prefix)})`;
  return { title: 'kiln', expression: `resource.name.startsWith(${object}) || ${listed}` };
}

/** https://learn.microsoft.com/azure/storage/blobs/assign-azure-role-data-access */
export function azureRoles({ account, bucket, mayUpload }: AccessOptions): AccessText {
  const storage = `/subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.Storage/storageAccounts/${named(account, 'account')}`;
  const container = `${storage}/blobServices/default/containers/${named(bucket, 'container')}`;
  return {
    title: 'Commands',
    about:
      'Create the application with a role on the container, and the role on the account that signs download links. The first command prints ' +
      'appId, password and tenant.',
    text: `az ad sp create-for-rbac --name kiln \\
  --role "Storage Blob Data ${mayUpload ? 'Contributor' : 'Reader'}" \\
  --scopes ${shellWord(container)}
az role assignment create --assignee '<appId>' --role "Storage Blob Delegator" \\
  --scope ${shellWord(storage)}`,
  };
}

/** https://learn.microsoft.com/azure/storage/common/storage-sas-overview. Only a signature of the account is valid for a queue too. */
export function azureSignature({ account, bucket, queue }: AccessOptions): AccessText {
  const [name, container] = [shellWord(named(account, 'account')), shellWord(named(bucket, 'container'))];
  const signed =
    queue === undefined
      ? `container generate-sas --name ${container} --permissions rl`
      : 'account generate-sas --services bq --resource-types sco --permissions rlp';
  return {
    title: 'Command',
    about:
      'Print the signature. Kiln cannot use it after its expiry: replace it before, by PATCH /v1/connections/:id. It permits reading alone, because ' +
      'Kiln gives no links to objects with it.',
    text: `az storage ${signed} \\
  --account-name ${name} --https-only --expiry '<year>-<month>-<day>' --output tsv`,
  };
}
