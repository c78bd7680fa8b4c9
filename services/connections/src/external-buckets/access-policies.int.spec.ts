// The generated policies, where a store enforces them. Real: Versity S3 Gateway, which evaluates bucket policies with conditions; moto, which
// evaluates the trust policies and permissions of roles. Programs that are not installed are skipped.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessTexts, type AccessOptions } from '@kiln/sdk/bucket-access';
import { createS3ObjectStore, type S3StoreConfig } from '@kiln/storage/s3';
import {
  installedProgram,
  startMoto,
  startVersitygw,
  type Moto,
  type Program,
  type Versitygw,
} from '@kiln/storage/test-support';
import { OutboundPolicy } from '@kiln/outbound';
import { request } from 'undici';
import { startVendorHosts, type VendorHosts } from '../test/vendor-hosts.js';
import { checkBucketIn } from './bucket-check.service.js';
import { BucketOpener } from './bucket-opener.service.js';
import type { ExternalBucket } from './external-bucket.port.js';

const BUCKET = 'acme-documents';
const OTHER = 'other-documents';
const INVENTORIES = 'inventories';
const PREFIX = 'contracts/';
const KEYS = [`${PREFIX}a.txt`, `${PREFIX}b.txt`, 'private/c.txt'];
const open = { requestTimeoutMs: 30_000 };
const azureDefaults = { azureEndpoint: 'https://{account}.blob.test', azureAuthority: 'https://login.test' };
const options: AccessOptions = {
  provider: 's3',
  kind: 'role',
  bucket: BUCKET,
  prefix: PREFIX,
  endpoint: '',
  account: '',
  mayUpload: false,
  roleArn: 'arn:aws:iam::123456789012:user/operator',
  externalId: 'org_ours',
};
const textOf = (title: string, change: Partial<AccessOptions> = {}) =>
  accessTexts({ ...options, ...change }).find((one) => one.title === title)?.text ?? '';

const optional = async (name: string, place?: string) => {
  const program = await installedProgram(name, place);
  const suffix = 'reason' in program ? `: ${program.reason}` : '';
  return { program: program as Program, describe: suffix === '' ? describe : describe.skip, suffix };
};
const gatewayProgram = await optional('versitygw');
const motoProgram = await optional('moto', 'moto/bin/moto_server');

async function fill(config: Omit<S3StoreConfig, 'bucket' | 'forcePathStyle'>, bucket = BUCKET): Promise<void> {
  const store = createS3ObjectStore({ ...config, bucket, forcePathStyle: true });
  await store.ensureBucket();
  for (const key of KEYS) await store.put(key, 'text', { contentType: 'text/plain' });
  store.close();
}

const queueUrl = (name: string) => `https://sqs.us-east-1.amazonaws.com/123456789012/${name}`;

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'permitted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

gatewayProgram.describe(`the policy of a bucket at Versity S3 Gateway${gatewayProgram.suffix}`, () => {
  let gateway: Versitygw;
  let bucket: ExternalBucket;
  beforeAll(async () => {
    gateway = await startVersitygw(gatewayProgram.program);
    await fill({ ...gateway, endpoint: gateway.url });
    await gateway.addUser('kiln', 'kiln-secret');
    const opener = new BucketOpener({ ...azureDefaults, policy: new OutboundPolicy({ allow: '127.0.0.1' }) });
    const keys = { access_key_id: 'kiln', secret_access_key: 'kiln-secret', endpoint: gateway.url };
    const place = { provider: 'selfhost_s3', bucket: BUCKET, region: null } as const;
    bucket = await opener.open(place, { kind: 'accessKey', ...keys }, open);
  });
  afterAll(async () => {
    bucket.close();
    await gateway.close();
  });

  /** The generated policy, for a user of this store. */
  async function permit(change: Partial<AccessOptions>): Promise<void> {
    const policy = JSON.parse(textOf('Policy', { provider: 'selfhost_s3', kind: 'accessKey', ...change })) as {
      Statement: object[];
    };
    const Statement = policy.Statement.map((statement) => ({ ...statement, Principal: { AWS: ['kiln'] } }));
    await gateway.putPolicy(BUCKET, JSON.stringify({ ...policy, Statement }));
  }

  async function upload(key: string): Promise<number> {
    const { url, headers } = await bucket.signedPut(key, { seconds: 60, contentType: 'text/plain' });
    const { statusCode, body } = await request(url, { method: 'PUT', headers, body: 'text' });
    await body.dump();
    return statusCode;
  }

  it('permits Kiln to list and read below the prefix, and nothing else', async () => {
    expect(await refusal(bucket.list({ prefix: PREFIX, limit: 10 }))).toBe('access_denied');
    await permit({});
    await checkBucketIn(bucket, { provider: 'selfhost_s3', bucket: BUCKET, region: null, prefix: PREFIX });
    const { objects } = await bucket.list({ prefix: PREFIX, limit: 10 });
    expect(objects.map(({ key }) => key)).toStrictEqual(KEYS.slice(0, 2));
    expect(await bucket.head(`${PREFIX}a.txt`)).toMatchObject({ sizeBytes: 4 });
    for (const prefix of ['', 'private/', 'contract']) {
      expect(await refusal(bucket.list({ prefix, limit: 10 }))).toBe('access_denied');
    }
    expect(await refusal(bucket.read('private/c.txt'))).toBe('access_denied');
    expect(await upload(`${PREFIX}new.txt`)).toBe(403);
  });

  it('permits uploads below the prefix when they are wanted', async () => {
    await permit({ mayUpload: true });
    expect([await upload(`${PREFIX}new.txt`), await upload('private/new.txt')]).toStrictEqual([200, 403]);
  });

  it('lets pages of the origin, and no others, load objects and upload them, by the generated CORS rules', async () => {
    await gateway.putCors(BUCKET, JSON.parse(textOf('CORS rules', { mayUpload: true })) as object[]);
    const preflight = async (origin: string, method: string) => {
      const headers = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      };
      const response = await request(`${gateway.url}/${BUCKET}/${KEYS[0]}`, { method: 'OPTIONS', headers });
      await response.body.dump();
      return [response.statusCode, response.headers['access-control-allow-origin']];
    };
    const origin = 'https://app.example.com';
    for (const method of ['GET', 'PUT']) expect(await preflight(origin, method)).toStrictEqual([200, origin]);
    for (const [other, method] of [['https://other.example.com', 'GET'] as const, [origin, 'DELETE'] as const]) {
      expect(await preflight(other, method)).toStrictEqual([403, undefined]);
    }
  });

  it('permits the whole bucket without a prefix', async () => {
    await permit({ prefix: '' });
    await checkBucketIn(bucket, { provider: 'selfhost_s3', bucket: BUCKET, region: null, prefix: '' });
    expect(await refusal(bucket.read('private/c.txt'))).toBe('permitted');
  });
});

motoProgram.describe(`the policies of a role at moto${motoProgram.suffix}`, () => {
  // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
  const { env } = process;
  let moto: Moto;
  let hosts: VendorHosts;
  beforeAll(async () => {
    moto = await startMoto(motoProgram.program);
    const root = { endpoint: moto.url, region: 'eu-central-1', accessKeyId: 'root', secretAccessKey: 'root' };
    await fill(root);
    await fill(root, OTHER);
    await fill(root, INVENTORIES);
    await moto.createQueue('kiln');
    await moto.createQueue('other');
    const services = ['sts.eu-central-1', 's3.eu-central-1', 'sts.us-east-1', 'sqs.us-east-1'];
    const names = services.map((service) => `${service}.amazonaws.com`);
    hosts = await startVendorHosts(Object.fromEntries(names.map((name) => [name, moto.url])));
    await moto.call('iam', { Action: 'CreateUser', Version: '2010-05-08', UserName: 'operator' });
    const created = await moto.call('iam', { Action: 'CreateAccessKey', Version: '2010-05-08', UserName: 'operator' });
    const mayAssume = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' };
    await moto.call('iam', {
      Action: 'PutUserPolicy',
      Version: '2010-05-08',
      UserName: 'operator',
      PolicyName: 'kiln',
      PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [mayAssume] }),
    });
    const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(created)?.[1] ?? '';
    env['AWS_ACCESS_KEY_ID'] = read('AccessKeyId');
    env['AWS_SECRET_ACCESS_KEY'] = read('SecretAccessKey');
    const role = { Version: '2010-05-08', RoleName: 'theirs' };
    const trust = textOf('Trust policy');
    await moto.call('iam', { Action: 'CreateRole', ...role, AssumeRolePolicyDocument: trust });
    const rights = textOf('Policy', { prefix: '' });
    await moto.call('iam', { Action: 'PutRolePolicy', ...role, PolicyName: 'kiln', PolicyDocument: rights });
    const reading = { PolicyName: 'queue', PolicyDocument: textOf('Notification policy', { queue: queueUrl('kiln') }) };
    await moto.call('iam', { Action: 'PutRolePolicy', ...role, ...reading });
    const inventory = { bucket: INVENTORIES, prefix: `${PREFIX}${BUCKET}/kiln/` };
    const inventories = { PolicyName: 'inventory', PolicyDocument: textOf('Inventory policy', { inventory }) };
    await moto.call('iam', { Action: 'PutRolePolicy', ...role, ...inventories });
    await moto.enforce();
  });
  afterAll(async () => {
    delete env['AWS_ACCESS_KEY_ID'];
    delete env['AWS_SECRET_ACCESS_KEY'];
    hosts.close();
    await moto.close();
  });

  async function use<Result>(
    externalId: string,
    work: (bucket: ExternalBucket) => Promise<Result>,
    name = BUCKET,
  ): Promise<Result> {
    const opener = new BucketOpener({ ...azureDefaults, ...hosts.options });
    const credentials = { role_arn: 'arn:aws:iam::123456789012:role/theirs', external_id: externalId };
    const place = { provider: 's3', bucket: name, region: 'eu-central-1' } as const;
    const bucket = await opener.open(place, { kind: 'role', ...credentials }, open);
    try {
      return await work(bucket);
    } finally {
      bucket.close();
    }
  }

  it('let Kiln assume the role with the external id of the organization only', async () => {
    const list = (bucket: ExternalBucket) => refusal(bucket.list({ prefix: '', limit: 10 }));
    expect([await use('org_ours', list), await use('org_others', list)]).toStrictEqual(['permitted', 'access_denied']);
  });

  // moto fails at signed URLs while it enforces policies.
  it('permit the role to list and read this bucket, and no other', async () => {
    const calls = (bucket: ExternalBucket) =>
      Promise.all([refusal(bucket.list({ prefix: '', limit: 10 })), refusal(bucket.head('private/c.txt'))]);
    expect(await use('org_ours', calls)).toStrictEqual(['permitted', 'permitted']);
    expect(await use('org_ours', calls, OTHER)).toStrictEqual(['access_denied', 'access_denied']);
  });

  // moto does not evaluate the condition on the listed prefix.
  it('permit the role to read the inventories of this bucket in another one, and no other object there', async () => {
    const read = (key: string) => use('org_ours', (bucket) => refusal(bucket.head(key)), INVENTORIES);
    expect(await read(`${PREFIX}${BUCKET}/kiln/manifest.json`)).toBe('permitted');
    expect([await read(`${PREFIX}a.txt`), await read('private/c.txt')]).toStrictEqual([
      'access_denied',
      'access_denied',
    ]);
  });

  it('permit the role to receive from this queue, and from no other', async () => {
    const opener = new BucketOpener({ ...azureDefaults, ...hosts.options });
    const credentials = { role_arn: 'arn:aws:iam::123456789012:role/theirs', external_id: 'org_ours' };
    const check = async (name: string) => {
      const place = { type: 'sqs', queue: queueUrl(name), region: null } as const;
      const queue = await opener.openQueue(place, { kind: 'role', ...credentials }, open);
      return refusal(queue.check()).finally(() => queue.close());
    };
    expect([await check('kiln'), await check('other')]).toStrictEqual(['permitted', 'access_denied']);
  });
});
