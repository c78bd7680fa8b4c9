// Real: Postgres, the embedded object store as an external bucket. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { eventually, testStorage, type TestStorage } from '@kiln/testing';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';

const tenantId = uuidv7();
const prefix = `${uuidv7()}/`;

describe('checking a connection', () => {
  let harness: ConnectionsHarness;
  let storage: TestStorage;
  /** Gives up on a bucket that does not answer. */
  let hasty: ConnectionsHarness;
  let silent: Server;
  const held: Socket[] = [];
  beforeAll(async () => {
    storage = await testStorage();
    harness = await startConnections();
    hasty = await startConnections({ requestTimeoutMs: 700 });
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    await store.put(`${prefix}a.txt`, 'a', { contentType: 'text/plain' });
    store.close();
    silent = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    silent.close();
    for (const socket of held) socket.destroy();
    await harness.close();
    await hasty.close();
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
      () => {
        throw new Error('it was accepted');
      },
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof CodedError)) throw new Error(String(error));
    if (error.status !== 400) throw error;
    expect(await count()).toBe(before);
    expect(JSON.stringify(error.message)).not.toContain(storage.secretAccessKey);
    return error.message;
  }

  it('creates an active connection with sealed credentials when the bucket can be listed', async () => {
    const made = await verify();
    expect([made.status, made.verified, made.auth_type]).toStrictEqual(['active', true, 'access_key']);
    expect(JSON.stringify(made)).not.toContain(storage.secretAccessKey);
    const [row] = await harness.sql<{ text: string }>('select encode(credentials, $1) as text from connections', [
      'escape',
    ]);
    expect(row).toBeTruthy();
    expect(row?.text).not.toContain(storage.secretAccessKey);
    expect(row?.text).not.toContain('access_key');
  });

  it('does not read objects whose key a URL cannot address', async () => {
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    const strange = `${uuidv7()}/`;
    await store.put(`${strange}../a.txt`, 'a', { contentType: 'text/plain' });
    store.close();
    const input = { ...place(), prefix: strange, credentials: credentials() };
    expect((await harness.verify(tenantId, input)).status).toBe('active');
  });

  it('creates nothing and returns the reason when the bucket cannot be listed', async () => {
    expect(await refusalOf(() => verify({ secret_access_key: 'wrong' }))).toMatch(
      /refused the credentials: .*signature/i,
    );
    expect(await refusalOf(() => verify({}, 'no-such-bucket'))).toMatch(/no such bucket/);
    expect(await refusalOf(() => verify({ endpoint: 'http://127.0.0.1:1' }))).toMatch(/refused the connection/);
    const port = (silent.address() as AddressInfo).port;
    const unanswered = credentials({ endpoint: `http://127.0.0.1:${port}` });
    const late = () => hasty.verify(tenantId, { ...place(), credentials: unanswered });
    expect(await refusalOf(late)).toMatch(/did not answer in time/);
  });

  it('refuses a private address, both when it is given and when it is called', async () => {
    const strict = await startConnections({ allow: '' });
    for (const endpoint of [
      storage.endpoint,
      'https://localhost',
      'https://[::ffff:10.0.0.1]',
      'https://169.254.169.254',
    ]) {
      const attempt = () => strict.verify(tenantId, { ...place(), credentials: credentials({ endpoint }) });
      expect(await refusalOf(attempt)).toMatch(/credentials\.endpoint .*private/);
    }
    // The row is stored as if the address had been public at that time.
    const keys = { kind: 'accessKey' as const, ...credentials() };
    const bucket = await strict.opener.open({ ...place(), region: null }, keys, { requestTimeoutMs: 60_000 });
    await expect(bucket.list({ prefix: '', limit: 1 })).rejects.toMatchObject({
      code: 'endpoint_not_allowed',
      message: expect.stringMatching(/private/),
    });
    bucket.close();
    await strict.close();
  });

  it('sets the status: a success makes it active, a failure makes it error, the next success active again', async () => {
    const { id } = await harness.create(tenantId, { ...place(), credentials: credentials() });
    const test = () => harness.check.test({ id }, contextOf(tenantId));
    const statusOf = async () => (await harness.manage.get({ id }, contextOf(tenantId))).status;
    expect(await statusOf()).toBe('pending');
    expect(await test()).toStrictEqual({ success: true, status: 'active', error: null });
    await harness.sql('update connections set bucket = $1', ['gone-for-now']);
    const failed = await test();
    expect([failed.success, failed.status, failed.error?.code]).toStrictEqual([false, 'error', 'bucket_not_found']);
    const shown = await harness.manage.get({ id }, contextOf(tenantId));
    expect([shown.status, shown.error]).toStrictEqual(['error', failed.error]);
    await harness.sql('update connections set bucket = $1', [storage.bucket]);
    expect(await test()).toStrictEqual({ success: true, status: 'active', error: null });
    expect(await statusOf()).toBe('active');
  });

  it('fails without credentials, and leaves the connection pending', async () => {
    const { id } = await harness.create(tenantId, place());
    const { success, status, error } = await harness.check.test({ id }, contextOf(tenantId));
    expect([success, status, error?.code]).toStrictEqual([false, 'pending', 'credentials_missing']);
  });

  it('tries new credentials before they replace the old ones, and keeps the old ones when it fails', async () => {
    const { id } = await harness.create(tenantId, {
      ...place(),
      credentials: credentials({ secret_access_key: 'old' }),
    });
    const update = (changes: { name?: string; credentials?: Record<string, unknown> }, as = tenantId) =>
      harness.check.update({ id, org_id: harness.organizationId, ...changes }, contextOf(as));
    const test = () => harness.check.test({ id }, contextOf(tenantId));
    expect([(await test()).status, (await test()).error?.code]).toStrictEqual(['pending', 'access_denied']);
    const renamed = await update({ name: 'Renamed' });
    expect([renamed.name, renamed.status, renamed.error?.code]).toStrictEqual(['Renamed', 'pending', 'access_denied']);
    const wrong = () => update({ name: 'Never', credentials: credentials({ secret_access_key: 'wrong' }) });
    expect(await refusalOf(wrong)).toMatch(/refused the credentials/);
    expect(await refusalOf(() => update({ credentials: { access_key_id: 'id' } }))).toMatch(
      /^credentials\.secret_access_key /,
    );
    const elsewhere = credentials({ endpoint: 'https://10.0.0.1' });
    expect(await refusalOf(() => update({ credentials: elsewhere }))).toMatch(/^credentials\.endpoint .*private/);
    await expect(update({ name: 'Theirs' }, uuidv7())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const healed = await update({ credentials: credentials() });
    expect([healed.name, healed.status, healed.error]).toStrictEqual(['Renamed', 'active', null]);
    expect(await test()).toStrictEqual({ success: true, status: 'active', error: null });
  });

  it('runs eight calls of one tenant at a time: a ninth is 429, and other tenants are not delayed', async () => {
    const port = (silent.address() as AddressInfo).port;
    const hanging = credentials({ endpoint: `http://127.0.0.1:${port}` });
    const mine = uuidv7();
    const outcomes: string[] = [];
    const attempts = [
      ...Array.from({ length: 9 }, () => harness.verify(mine, { ...place(), credentials: hanging })),
      harness.verify(uuidv7(), { ...place(), credentials: credentials() }),
    ].map((attempt) =>
      attempt.then(
        () => outcomes.push('made'),
        (error: unknown) => outcomes.push((error as CodedError).code),
      ),
    );
    await eventually(() => expect(outcomes.toSorted()).toStrictEqual(['RATE_LIMITED', 'made']));
    silent.on('connection', (socket) => socket.destroy());
    for (const socket of held) socket.destroy();
    await Promise.all(attempts);
    const refused = Array.from({ length: 8 }, () => 'BAD_REQUEST');
    expect(outcomes.toSorted()).toStrictEqual([...refused, 'RATE_LIMITED', 'made']);
    silent.removeAllListeners('connection').on('connection', (socket) => void held.push(socket));
    expect((await harness.verify(mine, { ...place(), credentials: credentials() })).status).toBe('active');
  });

  it('is possible only for the tenant that owns the connection', async () => {
    const { id } = await verify();
    const stranger = contextOf(uuidv7());
    const { check, manage, browse } = harness;
    await expect(check.test({ id }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(manage.get({ id }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(manage.remove({ id }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(browse.browse({ id, limit: 10 }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await manage.list({ limit: 10 }, stranger)).connections).toStrictEqual([]);
  });

  it('does not repeat for a repeated call', async () => {
    const input = { ...place(), credentials: credentials(), ...harness.ids() };
    const first = await harness.check.verify(input, contextOf(tenantId));
    const before = await count();
    expect(await harness.check.verify(input, contextOf(tenantId))).toStrictEqual(first);
    expect(await count()).toBe(before);
  });
});
