// External buckets, one for each way to sign in, each with the same objects.
import type { BucketCredentials, StorageProviderId } from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import type { ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { createS3ObjectStore } from '@kiln/storage/s3';
import {
  accountSignature,
  startAzurite,
  startEntraId,
  startGoogleStorage,
  startSecurityTokenService,
} from '@kiln/storage/test-support';
import { testStorage } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { BucketOpener, type BucketOpenerOptions } from '../external-buckets/bucket-opener.service.js';
import { startPooledBucket } from './identity-pool.js';

export interface ForeignStore {
  provider: StorageProviderId;
  bucket: string;
  /** Every key that the test makes starts with it. */
  prefix: string;
  credentials: BucketCredentials;
  wrongCredentials: BucketCredentials;
  opener: BucketOpener;
  /** Another opener for the same store. */
  openerBy: (change: Partial<BucketOpenerOptions>) => BucketOpener;
  /** The certificate that a client of signed URLs must trust. */
  ca?: string;
  close(): Promise<void>;
}

const ALLOW = '127.0.0.0/8,localhost';

function openers(options: Partial<BucketOpenerOptions> = {}): Pick<ForeignStore, 'opener' | 'openerBy'> {
  const openerBy = (change: Partial<BucketOpenerOptions>) =>
    new BucketOpener({
      policy: new OutboundPolicy({ allow: ALLOW }),
      azureEndpoint: 'https://{account}.blob.core.windows.net',
      azureAuthority: 'https://login.microsoftonline.com',
      ...options,
      ...change,
    });
  return { opener: openerBy({}), openerBy };
}

async function fill(store: ObjectStore, prefix: string): Promise<void> {
  await store.ensureBucket();
  const keys = ['a.txt', 'b c+d.txt', 'folder/e.txt', 'folder/ü.txt', 'z.txt'];
  for (const key of keys) await store.put(`${prefix}${key}`, `in ${key}`, { contentType: 'text/plain' });
  store.close();
}

export async function accessKeyStore(): Promise<ForeignStore> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await testStorage();
  const prefix = `${uuidv7()}/`;
  await fill(
    createS3ObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true }),
    prefix,
  );
  const credentials = {
    kind: 'accessKey',
    endpoint,
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
  } as const;
  return {
    provider: 'selfhost_s3',
    bucket,
    prefix,
    credentials,
    wrongCredentials: { ...credentials, secret_access_key: 'not-the-secret' },
    ...openers(),
    close: async () => undefined,
  };
}

const ROLE = 'arn:aws:iam::123456789012:role/kiln';

/** Environment variables direct the SDK to the embedded store and to the STS of the test. */
export async function roleStore(): Promise<ForeignStore> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await testStorage();
  const prefix = `${uuidv7()}/`;
  await fill(
    createS3ObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true }),
    prefix,
  );
  const sts = await startSecurityTokenService({
    trustedAccessKeyId: 'AKIAOPERATOR',
    roleArn: ROLE,
    externalId: 'org_ours',
    accessKeyId,
    secretAccessKey,
  });
  const variables = {
    AWS_ACCESS_KEY_ID: 'AKIAOPERATOR',
    AWS_SECRET_ACCESS_KEY: 'operator-secret',
    AWS_ENDPOINT_URL_STS: sts.url,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
  // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
  const { env } = process;
  Object.assign(env, variables);
  const credentials = { kind: 'role', role_arn: ROLE, external_id: 'org_ours' } as const;
  return {
    provider: 's3',
    bucket,
    prefix,
    credentials,
    wrongCredentials: { ...credentials, external_id: 'org_others' },
    ...openers(),
    close: async () => {
      for (const name of Object.keys(variables)) delete env[name];
      sts.close();
    },
  };
}

export async function serviceAccountStore(): Promise<ForeignStore> {
  const google = await startGoogleStorage();
  const { url: endpoint, credentialsJson } = google;
  await fill(createGcsObjectStore({ endpoint, bucket: 'theirs', credentialsJson }), '');
  const keyOf = (json: string) => ({ kind: 'serviceAccount', ...JSON.parse(json) }) as BucketCredentials;
  return {
    provider: 'gcs',
    bucket: 'theirs',
    prefix: '',
    credentials: keyOf(credentialsJson),
    wrongCredentials: keyOf(google.foreignCredentialsJson),
    ...openers({ gcsEndpoint: endpoint }),
    close: () => google.close(),
  };
}

export async function workloadIdentityStore(): Promise<ForeignStore> {
  const pooled = await startPooledBucket('theirs', ['org_ours']);
  const { url: endpoint, credentialsJson } = pooled.google;
  await fill(createGcsObjectStore({ endpoint, bucket: 'theirs', credentialsJson }), '');
  return {
    provider: 'gcs',
    bucket: 'theirs',
    prefix: '',
    credentials: pooled.sealedFor('org_ours'),
    wrongCredentials: pooled.sealedFor('org_others'),
    ...openers(pooled.options),
    close: () => pooled.close(),
  };
}

export async function accountKeyStore(): Promise<ForeignStore> {
  const azurite = await startAzurite();
  const { url: endpoint, accountName, accountKey } = azurite;
  await fill(createAzureObjectStore({ endpoint, accountName, accountKey, container: 'theirs' }), '');
  const credentials = { kind: 'accountKey', account_name: accountName, account_key: accountKey } as const;
  return {
    provider: 'container_blob',
    bucket: 'theirs',
    prefix: '',
    credentials,
    wrongCredentials: { ...credentials, account_key: Buffer.alloc(64, 1).toString('base64') },
    ...openers({ azureEndpoint: endpoint.replace(accountName, '{account}') }),
    close: () => azurite.close(),
  };
}

/** A signature of the account, so that its containers can be listed. */
export async function sharedAccessSignatureStore(): Promise<ForeignStore> {
  const store = await accountKeyStore();
  const { credentials } = store;
  if (credentials.kind !== 'accountKey') throw new Error('no account key');
  const { account_name, account_key: accountKey } = credentials;
  const expiresOn = new Date(Date.now() + 3_600_000);
  const signed = { kind: 'sharedAccessSignature', account_name } as const;
  const tokenBy = (key: string) =>
    accountSignature({ accountName: account_name, accountKey: key }, 'b', { permissions: 'rl', expiresOn });
  return {
    ...store,
    credentials: { ...signed, sas_token: tokenBy(accountKey) },
    wrongCredentials: { ...signed, sas_token: tokenBy(Buffer.alloc(64, 1).toString('base64')) },
  };
}

export async function servicePrincipalStore(): Promise<ForeignStore> {
  const [azurite, entra] = await Promise.all([startAzurite({ tokens: true }), startEntraId()]);
  const { url: endpoint, accountName, accountKey, ca } = azurite;
  const agents = await trusting(ca);
  await fill(createAzureObjectStore({ endpoint, accountName, accountKey, container: 'theirs', agents }), '');
  const credentials = {
    kind: 'servicePrincipal',
    tenant_id: entra.tenantId,
    client_id: entra.clientId,
    client_secret: entra.clientSecret,
    account_name: accountName,
  } as const;
  return {
    provider: 'container_blob',
    bucket: 'theirs',
    prefix: '',
    credentials,
    wrongCredentials: { ...credentials, client_secret: 'not-the-secret' },
    ...openers({ azureEndpoint: endpoint.replace(accountName, '{account}'), azureAuthority: entra.url, ca }),
    ca,
    close: async () => {
      entra.close();
      await azurite.close();
    },
  };
}

async function trusting(ca: string) {
  const [{ Agent: HttpAgent }, { Agent: HttpsAgent }] = await Promise.all([import('node:http'), import('node:https')]);
  return { http: new HttpAgent(), https: new HttpsAgent({ ca }) };
}
