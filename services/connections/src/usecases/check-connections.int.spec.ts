// Real: Postgres, the embedded object store as somebody else's bucket. Faked: nothing.
import { CodedError } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage, type TestStorage } from '@kiln/testing';
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';

const tenantId = uuidv7();
const prefix = `${uuidv7()}/`;

describe('a bucket is tried', () => {
  let harness: ConnectionsHarness;
  let storage: TestStorage;
  let silent: Server;
  before(async () => {
    storage = await testStorage();
    harness = await startConnections({ requestTimeoutMs: 700 });
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    await store.put(`${prefix}a.txt`, 'a', { contentType: 'text/plain' });
    store.close();
    silent = createServer(() => undefined).listen(0, '127.0.0.1');
  });
  after(async () => {
    silent.close();
    await harness.close();
  });

  const credentials = (change: Record<string, unknown> = {}) => ({
    access_key_id: storage.accessKeyId,
    secret_access_key: storage.secretAccessKey,
    endpoint: storage.endpoint,
    ...change,
  });
  const place = () => ({ provider: 'selfhost_s3' as const, name: 'Theirs', bucket: storage.bucket });
  const verify = (change: Record<string, unknown> = {}, bucket = storage.bucket) =>
    harness.verify(tenantId, { ...place(), bucket, credentials: credentials(change) });
  const count = async () => (await harness.sql<{ count: number }>('select count(*) from connections'))[0]?.count;

  async function refusalOf(attempt: () => Promise<unknown>): Promise<string> {
    const before = await count();
    const error: unknown = await attempt().then(
      () => assert.fail('it was accepted'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof CodedError, String(error));
    assert.equal(error.status, 400, error.message);
    assert.equal(await count(), before);
    assert.ok(!JSON.stringify(error.message).includes(storage.secretAccessKey));
    return error.message;
  }

  it('and, when it can be listed, becomes an active connection whose credentials lie sealed', async () => {
    const made = await verify();
    assert.deepEqual([made.status, made.verified, made.auth_type], ['active', true, 'access_key']);
    assert.ok(!JSON.stringify(made).includes(storage.secretAccessKey));
    const [row] = await harness.sql<{ text: string }>('select encode(credentials, $1) as text from connections', [
      'escape',
    ]);
    assert.ok(row && !row.text.includes(storage.secretAccessKey) && !row.text.includes('access_key'));
  });

  it('and otherwise nothing is created, and the reason is told', async () => {
    assert.match(
      await refusalOf(() => verify({ secret_access_key: 'wrong' })),
      /refused the credentials: .*signature/i,
    );
    assert.match(await refusalOf(() => verify({}, 'no-such-bucket')), /no such bucket/);
    assert.match(await refusalOf(() => verify({ endpoint: 'http://127.0.0.1:1' })), /refused the connection/);
    const port = (silent.address() as AddressInfo).port;
    assert.match(await refusalOf(() => verify({ endpoint: `http://127.0.0.1:${port}` })), /did not answer in time/);
  });

  it('at an address that is private and not allowed neither when it is given nor when it is called', async () => {
    const strict = await startConnections({ allow: '' });
    for (const endpoint of [
      storage.endpoint,
      'https://localhost',
      'https://[::ffff:10.0.0.1]',
      'https://169.254.169.254',
    ]) {
      const attempt = () => strict.verify(tenantId, { ...place(), credentials: credentials({ endpoint }) });
      assert.match(await refusalOf(attempt), /credentials\.endpoint: .*private/);
    }
    // As if it had been public when it was given.
    const keys = { kind: 'accessKey' as const, ...credentials() };
    const bucket = await strict.opener.open({ ...place(), region: null }, keys, { requestTimeoutMs: 2_000 });
    await assert.rejects(bucket.list({ prefix: '', limit: 1 }), { code: 'endpoint_not_allowed', message: /private/ });
    bucket.close();
    await strict.close();
  });

  it('again by a test: pending becomes active, a failure is told and marks it, the next success heals it', async () => {
    const { id } = await harness.create(tenantId, { ...place(), credentials: credentials() });
    const test = () => harness.check.test({ id }, contextOf(tenantId));
    const statusOf = async () => (await harness.manage.get({ id }, contextOf(tenantId))).status;
    assert.equal(await statusOf(), 'pending');
    assert.deepEqual(await test(), { success: true, status: 'active', error: null });
    await harness.sql('update connections set bucket = $1', ['gone-for-now']);
    const failed = await test();
    assert.deepEqual([failed.success, failed.status, failed.error?.code], [false, 'error', 'bucket_not_found']);
    const shown = await harness.manage.get({ id }, contextOf(tenantId));
    assert.deepEqual([shown.status, shown.error], ['error', failed.error]);
    await harness.sql('update connections set bucket = $1', [storage.bucket]);
    assert.deepEqual(await test(), { success: true, status: 'active', error: null });
    assert.equal(await statusOf(), 'active');
  });

  it('without credentials fails, and the connection stays pending', async () => {
    const { id } = await harness.create(tenantId, place());
    const { success, status, error } = await harness.check.test({ id }, contextOf(tenantId));
    assert.deepEqual([success, status, error?.code], [false, 'pending', 'credentials_missing']);
  });

  it('with new credentials before they replace the old ones, which stay when it fails', async () => {
    const { id } = await harness.create(tenantId, {
      ...place(),
      credentials: credentials({ secret_access_key: 'old' }),
    });
    const update = (changes: { name?: string; credentials?: Record<string, unknown> }, as = tenantId) =>
      harness.check.update({ id, org_id: harness.organizationId, ...changes }, contextOf(as));
    const test = () => harness.check.test({ id }, contextOf(tenantId));
    assert.deepEqual([(await test()).status, (await test()).error?.code], ['pending', 'access_denied']);
    const renamed = await update({ name: 'Renamed' });
    assert.deepEqual([renamed.name, renamed.status, renamed.error?.code], ['Renamed', 'pending', 'access_denied']);
    const wrong = () => update({ name: 'Never', credentials: credentials({ secret_access_key: 'wrong' }) });
    assert.match(await refusalOf(wrong), /refused the credentials/);
    assert.match(
      await refusalOf(() => update({ credentials: { access_key_id: 'id' } })),
      /^credentials\.secret_access_key: /,
    );
    const elsewhere = credentials({ endpoint: 'https://10.0.0.1' });
    assert.match(await refusalOf(() => update({ credentials: elsewhere })), /^credentials\.endpoint: .*private/);
    await assert.rejects(update({ name: 'Theirs' }, uuidv7()), { code: 'NOT_FOUND' });
    const healed = await update({ credentials: credentials() });
    assert.deepEqual([healed.name, healed.status, healed.error], ['Renamed', 'active', null]);
    assert.deepEqual(await test(), { success: true, status: 'active', error: null });
  });

  it('eight at a time for one tenant; a ninth is asked to come back, and nobody else is held up', async () => {
    const port = (silent.address() as AddressInfo).port;
    const hanging = credentials({ endpoint: `http://127.0.0.1:${port}` });
    const mine = uuidv7();
    const attempts = await Promise.allSettled([
      ...Array.from({ length: 9 }, () => harness.verify(mine, { ...place(), credentials: hanging })),
      harness.verify(uuidv7(), { ...place(), credentials: credentials() }),
    ]);
    const outcomes = attempts.map((attempt) =>
      attempt.status === 'fulfilled' ? 'made' : (attempt.reason as CodedError).code,
    );
    const refused = Array.from({ length: 8 }, () => 'BAD_REQUEST');
    assert.deepEqual(outcomes.toSorted(), [...refused, 'RATE_LIMITED', 'made']);
    assert.equal((await harness.verify(mine, { ...place(), credentials: credentials() })).status, 'active');
  });

  it('by its own tenant only', async () => {
    const { id } = await verify();
    const stranger = contextOf(uuidv7());
    const { check, manage, browse } = harness;
    await assert.rejects(check.test({ id }, stranger), { code: 'NOT_FOUND' });
    await assert.rejects(manage.get({ id }, stranger), { code: 'NOT_FOUND' });
    await assert.rejects(manage.remove({ id }, stranger), { code: 'NOT_FOUND' });
    await assert.rejects(browse.browse({ id, limit: 10 }, stranger), { code: 'NOT_FOUND' });
    assert.deepEqual((await manage.list({ limit: 10 }, stranger)).connections, []);
  });

  it('once for a call that is repeated because its answer was lost', async () => {
    const input = { ...place(), credentials: credentials(), ...harness.ids() };
    const first = await harness.check.verify(input, contextOf(tenantId));
    const before = await count();
    assert.deepEqual(await harness.check.verify(input, contextOf(tenantId)), first);
    assert.equal(await count(), before);
  });
});
