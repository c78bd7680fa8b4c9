// Each provider with the endpoint rules of its vendor, at stores of other authors. Real: Versity S3 Gateway, moto, fake-gcs-server, Azurite; rclone
// as a second client. Replaced: the name server and the certificates of vendors. Programs that are not installed are skipped.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { BucketCredentials, StorageProviderId } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { createS3ObjectStore } from '@kiln/storage/s3';
import {
  installedProgram,
  startAzurite,
  startFakeGcsServer,
  startMoto,
  startVersitygw,
  type Program,
} from '@kiln/storage/test-support';
import { generateKeyPairSync } from 'node:crypto';
import { startVendorHosts, type VendorHosts } from '../test/vendor-hosts.js';
import { checkBucketIn } from './bucket-check.service.js';
import { BucketOpener } from './bucket-opener.service.js';
import type { BucketObject } from './external-bucket.port.js';

const KEYS = ['a.txt', 'b c+d.txt', 'folder/e.txt', 'folder/ü.txt', 'z.txt'];
const BUCKET = 'acme-documents';
const ROLE = 'arn:aws:iam::123456789012:role/kiln';
const azureDefaults = {
  azureEndpoint: 'https://{account}.blob.core.windows.net',
  azureAuthority: 'https://login.microsoftonline.com',
};

interface Connected {
  hosts: VendorHosts;
  credentials: BucketCredentials;
  region: string | null;
  /** The host of the last request. */
  host: string;
}

const programs = {
  versitygw: await installedProgram('versitygw'),
  'fake-gcs-server': await installedProgram('fake-gcs-server'),
  moto: await installedProgram('moto', 'moto/bin/moto_server'),
  // A dependency of npm.
  Azurite: { path: '' },
};

describe('a bucket of', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close();
  });
  const started = <Store extends { close(): unknown }>(store: Store): Store => {
    open.push(store);
    return store;
  };

  async function fill(store: ObjectStore): Promise<void> {
    await store.ensureBucket();
    for (const key of KEYS) await store.put(key, `in ${key}`, { contentType: 'text/plain' });
    store.close();
  }

  /** `host` has the region in it, or none. */
  const onVersitygw =
    (region: string, host: string, given: { region: string | null; endpoint?: string }) =>
    async (program: Program): Promise<Connected> => {
      const gateway = started(await startVersitygw(program, { region }));
      const { url: endpoint, accessKeyId, secretAccessKey } = gateway;
      const place = { endpoint, region, bucket: BUCKET, forcePathStyle: true };
      await fill(createS3ObjectStore({ ...place, accessKeyId, secretAccessKey }));
      const hosts = started(await startVendorHosts({ [host]: endpoint }));
      const keys = { kind: 'accessKey', access_key_id: accessKeyId, secret_access_key: secretAccessKey } as const;
      return { hosts, credentials: { ...keys, endpoint: given.endpoint }, region: given.region, host };
    };

  async function onSupabase(program: Program): Promise<Connected> {
    const { url: endpoint } = started(await startMoto(program));
    const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
    await fill(createS3ObjectStore({ endpoint, region: 'eu-west-1', bucket: BUCKET, forcePathStyle: true, ...keys }));
    const host = 'project.storage.supabase.co';
    const hosts = started(await startVendorHosts({ [host]: endpoint }, '/storage/v1/s3'));
    const given = { access_key_id: 'key', secret_access_key: 'secret', endpoint: `https://${host}/storage/v1/s3` };
    return { hosts, credentials: { kind: 'accessKey', ...given }, region: 'eu-west-1', host };
  }

  /** STS and S3 have hosts of a region, and the bucket is in the name of the host. */
  async function onAws(program: Program): Promise<Connected> {
    const moto = started(await startMoto(program));
    const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
    const place = { endpoint: moto.url, region: 'eu-central-1', bucket: BUCKET, forcePathStyle: true };
    await fill(createS3ObjectStore({ ...place, ...keys }));
    const names = ['sts.eu-central-1.amazonaws.com', 's3.eu-central-1.amazonaws.com'];
    const hosts = started(await startVendorHosts(Object.fromEntries(names.map((name) => [name, moto.url]))));
    // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
    const { env } = process;
    Object.assign(env, { AWS_ACCESS_KEY_ID: 'AKIAOPERATOR', AWS_SECRET_ACCESS_KEY: 'secret' });
    started({ close: () => ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].forEach((name) => delete env[name]) });
    const credentials = { kind: 'role', role_arn: ROLE, external_id: 'org_1' } as const;
    return { hosts, credentials, region: 'eu-central-1', host: `${BUCKET}.${names[1]}` };
  }

  async function onGoogle(program: Program): Promise<Connected> {
    const { url: endpoint } = started(await startFakeGcsServer(program));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = {
      type: 'service_account',
      project_id: 'project',
      client_email: 'kiln@project.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    } as const;
    await fill(createGcsObjectStore({ endpoint, bucket: BUCKET, credentialsJson: JSON.stringify(key) }));
    const host = 'storage.googleapis.com';
    const hosts = started(await startVendorHosts({ [host]: endpoint }));
    return { hosts, credentials: { kind: 'serviceAccount', ...key }, region: null, host };
  }

  async function onAzure(): Promise<Connected> {
    const { url: endpoint, accountName, accountKey, ...azurite } = await startAzurite();
    started(azurite);
    await fill(createAzureObjectStore({ endpoint, accountName, accountKey, container: BUCKET }));
    const host = `${accountName}.blob.core.windows.net`;
    const hosts = started(await startVendorHosts({ [host]: endpoint }));
    const given = { account_name: accountName, account_key: accountKey };
    return { hosts, credentials: { kind: 'accountKey', ...given }, region: null, host };
  }

  const spaces = 'https://fra1.digitaloceanspaces.com';
  const r2 = '0123456789abcdef.r2.cloudflarestorage.com';
  const cases: [StorageProviderId, keyof typeof programs, (program: Program) => Promise<Connected>][] = [
    ['s3', 'moto', onAws],
    ['gcs', 'fake-gcs-server', onGoogle],
    ['container_blob', 'Azurite', onAzure],
    ['r2', 'versitygw', onVersitygw('auto', r2, { region: null, endpoint: `https://${r2}` })],
    [
      'selfhost_s3',
      'versitygw',
      onVersitygw('us-east-1', 's3.acme.test', { region: null, endpoint: 'https://s3.acme.test/' }),
    ],
    [
      'b2',
      'versitygw',
      onVersitygw('eu-central-003', 's3.eu-central-003.backblazeb2.com', { region: 'eu-central-003' }),
    ],
    [
      'spaces_store',
      'versitygw',
      onVersitygw('fra1', 'fra1.digitaloceanspaces.com', { region: null, endpoint: spaces }),
    ],
    [
      'hot_store',
      'versitygw',
      onVersitygw('eu-central-1', 's3.eu-central-1.wasabisys.com', { region: 'eu-central-1' }),
    ],
    ['backend_storage', 'moto', onSupabase],
  ];

  for (const [provider, name, start] of cases) {
    const program = programs[name];
    const skip = 'reason' in program ? program.reason : null;
    const title = `${provider} is checked, listed, read and written at the host of its vendor, with ${name}`;
    (skip === null ? it : it.skip)(skip === null ? title : `${title}: ${skip}`, async () => {
      const { hosts, credentials, region, host } = await start(program as Program);
      const place = { provider, bucket: BUCKET, region };
      const opener = new BucketOpener({ ...azureDefaults, ...hosts.options });
      const bucket = started(await opener.open(place, credentials, { requestTimeoutMs: 30_000 }));
      await checkBucketIn(bucket, { ...place, prefix: '' });
      const listed: BucketObject[] = [];
      for (let next: string | null | undefined; next !== null;) {
        const page = await bucket.list({ prefix: '', limit: 2, cursor: next });
        listed.push(...page.objects);
        next = page.next;
      }
      expect(listed.map(({ key, sizeBytes }) => [key, sizeBytes])).toStrictEqual(
        KEYS.map((key) => [key, Buffer.byteLength(`in ${key}`)]),
      );
      const [first] = listed;
      expect(await bucket.head('a.txt')).toMatchObject({ etag: first?.etag, contentType: 'text/plain' });
      expect(await bucket.head('missing')).toBeNull();
      const { url } = await bucket.signedGet('b c+d.txt', { seconds: 60 });
      expect(await hosts.send(url)).toStrictEqual({ status: 200, body: 'in b c+d.txt' });
      const upload = await bucket.signedPut('new.csv', { seconds: 60, contentType: 'text/csv', sizeBytes: 3 });
      const { status } = await hosts.send(upload.url, { method: 'PUT', headers: upload.headers, body: 'a,b' });
      expect([200, 201]).toContain(status);
      expect(await bucket.head('new.csv')).toMatchObject({ sizeBytes: 3, contentType: 'text/csv' });
      expect([...hosts.asked]).toContain(host);
    });
  }
});
