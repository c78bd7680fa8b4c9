// Real: Postgres, the S3 SDK, the embedded object store. Written from its documentation: the regions of Amazon S3. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage, type TestStorage } from '@kiln/testing';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { startRegionalStore, type RegionalStore } from '../test/regional-store.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const REGION = 'eu-central-1';
const tenantId = uuidv7();
const prefix = `${uuidv7()}/`;

describe.each([
  ['Amazon S3, which redirects', 's3', 'redirect'],
  ['a store that refuses other regions', 'selfhost_s3', 'refuse'],
] as const)('the region of a bucket at %s:', (_, provider, otherRegions) => {
  let harness: SyncsHarness;
  let storage: TestStorage;
  let store: RegionalStore;
  // oxlint-disable-next-line node/no-process-env -- the SDK reads it, as it will in production
  const { env } = process;
  beforeAll(async () => {
    storage = await testStorage();
    store = await startRegionalStore({ endpoint: storage.endpoint, region: REGION, otherRegions });
    if (provider === 's3') env['AWS_ENDPOINT_URL_S3'] = store.url;
    harness = await startSyncs();
    const objects = createS3ObjectStore({ ...storage, forcePathStyle: true });
    await objects.put(`${prefix}a.txt`, 'a', { contentType: 'text/plain' });
    objects.close();
  });
  afterAll(async () => {
    delete env['AWS_ENDPOINT_URL_S3'];
    store.close();
    await harness.close();
  });

  const credentials = () => ({
    access_key_id: storage.accessKeyId,
    secret_access_key: storage.secretAccessKey,
    ...(provider === 's3' ? {} : { endpoint: store.url }),
  });
  const place = (region?: string) => ({ provider, name: 'Theirs', bucket: storage.bucket, prefix, region });
  const verify = (region?: string) => harness.verify(tenantId, { ...place(region), credentials: credentials() });
  const test = (id: string) => harness.check.test({ id }, contextOf(tenantId));
  const update = (id: string, region: string) =>
    harness.check.update({ id, org_id: harness.organizationId, region }, contextOf(tenantId));

  it.each(['us-east-1', 'eu-west-1', REGION, undefined])('verify accepts %s, and signed URLs work', async (region) => {
    const { id } = await verify(region);
    expect(await test(id)).toStrictEqual({ success: true, status: 'active', error: null });
    const connection_id = id;
    const input = { connection_id, path: `${prefix}a.txt`, filename: 'a.txt' };
    const { url } = await harness.openObjects.sign(input, contextOf(tenantId));
    const download = await request(url);
    expect([download.statusCode, await download.body.text()]).toStrictEqual([200, 'a']);
  });

  it('a test explains a wrong one, and PATCH corrects it', async () => {
    const { id } = await harness.create(tenantId, { ...place('eu-west-1'), credentials: credentials() });
    const { success, error } = await test(id);
    expect(success).toBe(false);
    expect(error?.message).toMatch(/in the region eu-central-1, but the connection has eu-west-1\. .*PATCH/);
    const updated = await update(id, REGION);
    expect([updated.region, updated.status]).toStrictEqual([REGION, 'active']);
    expect((await test(id)).success).toBe(true);
    // A wrong one is corrected.
    expect((await update(id, 'us-west-2')).region).toBe(REGION);
  });

  it('PATCH takes any without credentials, and the connection stays pending', async () => {
    const { id } = await harness.create(tenantId, place());
    const { region, status } = await update(id, 'eu-west-1');
    expect([region, status]).toStrictEqual(['eu-west-1', 'pending']);
  });

  it('a bucket whose objects cannot be decrypted is refused with the reason', async () => {
    const { id } = await verify(REGION);
    store.refusesToDecrypt = true;
    try {
      await expect(verify(REGION)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringMatching(/can be listed, but its objects cannot be read.*kms:Decrypt/),
      });
      expect((await test(id)).error?.code).toBe('access_denied');
    } finally {
      store.refusesToDecrypt = false;
    }
  });

  it('a bucket without objects is verified too', async () => {
    const input = { ...place('us-east-1'), prefix: `${encodeId('node', uuidv7())}/`, credentials: credentials() };
    const { id, region } = await harness.verify(tenantId, input);
    expect(region).toBe(REGION);
    expect((await test(id)).success).toBe(true);
  });
});
