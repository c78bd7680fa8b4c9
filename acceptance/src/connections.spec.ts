// Connections from the outside: a bucket of somebody else is tried, connected, browsed, tested and let go. The suite launches a
// system of its own, since a bucket on loopback has to be allowed.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startForeignBucket, type ForeignBucket } from './support/foreign-bucket.js';
import { KilnClient, type Answer } from './support/kiln-client.js';
import { newKey, newOrganization } from './support/operator.config.js';

interface Connection {
  id: string;
  status: string;
  verified?: boolean;
  bucket: string;
  error: { code: string; message: string } | null;
}

interface Refusal {
  error: string;
  code: string;
}

const WRONG_SECRET = 'a-secret-that-opens-nothing';
const KEYS = ['contracts/2025/lease.pdf', 'contracts/2026/lease ü+1.pdf', 'contracts/2026/sale.pdf', 'notes.txt'];

describe('connections', () => {
  let system: RunningSystem;
  let bucket: ForeignBucket;
  let client: KilnClient;
  let sameInTestMode: KilnClient;
  let stranger: KilnClient;

  before(async () => {
    bucket = await startForeignBucket();
    for (const key of KEYS) await bucket.put(key, `text of ${key}`);
    system = await startSystem({
      environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1', KILN_CONNECTIONS_TIMEOUT_MS: '5000' },
    });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
    const { body: me } = await client.get<{ org_id: string }>('/v1/me');
    const strangers = await newOrganization(system.dataDir, 'enterprise');
    [sameInTestMode, stranger] = await Promise.all([
      KilnClient.of(system.baseUrl, await newKey(system.dataDir, me.org_id, 'test')),
      KilnClient.of(system.baseUrl, await newKey(system.dataDir, strangers)),
    ]);
  });
  after(async () => {
    await bucket.remove();
    await system.stop();
  });

  const credentials = (change: object = {}) => ({
    access_key_id: bucket.accessKeyId,
    secret_access_key: bucket.secretAccessKey,
    endpoint: bucket.endpoint,
    ...change,
  });
  const place = () => ({ provider: 'selfhost_s3', name: 'Their documents', bucket: bucket.bucket });
  const verify = <Body = Refusal>(change: object = {}, more: object = {}) =>
    client.post<Body>('/v1/connections/verify', {
      ...place(),
      ...more,
      credentials: credentials(change),
    });
  const all = async (as = client) => (await as.get<{ connections: Connection[] }>('/v1/connections')).body.connections;
  const remove = (id: string, as = client) => as.request('DELETE', `/v1/connections/${id}`);

  async function connected(more: object = {}): Promise<Connection> {
    const { status, body } = await verify<Connection>({}, more);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** What was refused left nothing behind. */
  async function refused(answering: () => Promise<Answer<Refusal>>, reason: RegExp): Promise<void> {
    const before = await all();
    const { status, body } = await answering();
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(body));
    assert.match(body.error, reason);
    assert.deepEqual(await all(), before);
  }

  it('are offered for nine providers, each with what its owner has to do', async () => {
    const { status, body } = await client.get<{ providers: { id: string; name: string; auth_type: string }[] }>(
      '/v1/connections/providers',
    );
    assert.equal(status, 200);
    assert.deepEqual(Object.fromEntries(body.providers.map(({ id, auth_type }) => [id, auth_type])), {
      s3: 'role_assumption',
      gcs: 'service_account',
      container_blob: 'service_principal',
      r2: 'access_key',
      selfhost_s3: 'access_key',
      b2: 'access_key',
      spaces_store: 'access_key',
      hot_store: 'access_key',
      backend_storage: 'access_key',
    });
    type Started = { provider: string; instructions: { role_arn?: string; external_id?: string; steps: string[] } };
    const start = async (provider: string, as = client) =>
      (await as.post<Started>('/v1/connections/start', { provider })).body;
    for (const { id } of body.providers) assert.ok((await start(id)).instructions.steps.length > 0, id);
    const [first, again, other] = [await start('s3'), await start('s3'), await start('s3', stranger)];
    assert.equal(typeof first.instructions.role_arn, 'string');
    assert.equal(first.instructions.external_id, again.instructions.external_id);
    assert.notEqual(first.instructions.external_id, other.instructions.external_id);
  });

  it('are made of a bucket that was tried, and tell no credential from then on', async () => {
    const made = await connected({ prefix: 'contracts/' });
    assert.deepEqual([made.status, made.verified, made.bucket], ['active', true, bucket.bucket]);
    const shown = await client.get(`/v1/connections/${made.id}`);
    const listed = (await all()).find(({ id }) => id === made.id);
    for (const told of [made, shown.body, listed]) {
      assert.ok(told && !JSON.stringify(told).includes(bucket.secretAccessKey));
      assert.ok(!JSON.stringify(told).includes(bucket.accessKeyId));
    }
    assert.equal((await remove(made.id)).status, 200);
  });

  it('are refused with the reason when the bucket can not be listed', async () => {
    await refused(() => verify({ secret_access_key: WRONG_SECRET }), /refused the credentials/);
    await refused(() => verify({}, { bucket: 'no-such-bucket' }), /no such bucket/);
    await refused(() => verify({ endpoint: 'http://127.0.0.1:1' }), /refused the connection/);
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await refused(
      () => verify({ endpoint: `http://127.0.0.1:${(silent.address() as { port: number }).port}` }),
      /did not answer in time/,
    );
    silent.close();
    await refused(
      () =>
        client.post('/v1/connections/list-buckets', {
          provider: 'selfhost_s3',
          credentials: credentials({ secret_access_key: WRONG_SECRET }),
        }),
      /refused the credentials/,
    );
  });

  it('never lead to an address that is private and not allowed, however it is written', async () => {
    for (const endpoint of [
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[::1]',
      'https://[::ffff:192.168.0.1]',
      'https://3232235777',
      'https://0x7f.0.0.2',
      'http://93.184.215.14',
    ]) {
      await refused(() => verify({ endpoint }), /^credentials\.endpoint: /);
      await refused(
        () => client.post('/v1/connections', { ...place(), credentials: credentials({ endpoint }) }),
        /^credentials\.endpoint: /,
      );
    }
  });

  it('are refused when what is given makes no sense, field by field', async () => {
    const post = (body: object) => () => client.post<Refusal>('/v1/connections/verify', body);
    await refused(post({ ...place(), provider: 'floppy', credentials: credentials() }), /^provider: /);
    await refused(post({ ...place(), bucket: '../theirs', credentials: credentials() }), /^bucket: /);
    await refused(
      post({ ...place(), credentials: { access_key_id: 7 } }),
      /credentials\.access_key_id: .*credentials\.secret_access_key: /,
    );
    await refused(post(place()), /^credentials: /);
    const role = { role_arn: 'arn:aws:iam::123456789012:role/theirs', external_id: 'org_of_somebody_else' };
    await refused(post({ ...place(), provider: 's3', credentials: role }), /^credentials\.external_id: /);
  });

  it('are pending until a first test succeeds, and tell what went wrong while the bucket is away', async () => {
    const { body: made } = await client.post<Connection>('/v1/connections', { ...place(), credentials: credentials() });
    const test = async () =>
      (
        await client.post<{ success: boolean; status: string; error: Connection['error'] }>(
          `/v1/connections/${made.id}/test`,
          {},
        )
      ).body;
    const shown = async () => (await client.get<Connection>(`/v1/connections/${made.id}`)).body;
    assert.equal(made.status, 'pending');
    await bucket.stop();
    const failed = await test();
    assert.deepEqual([failed.success, failed.status, failed.error?.code], [false, 'pending', 'unreachable']);
    await bucket.start();
    assert.deepEqual(await test(), { success: true, status: 'active', error: null });
    await bucket.stop();
    assert.deepEqual(
      [(await test()).status, (await shown()).status, (await shown()).error?.code],
      ['error', 'error', 'unreachable'],
    );
    const browsed = await client.get<Refusal>(`/v1/connections/${made.id}/browse`);
    assert.equal(browsed.status, 424, JSON.stringify(browsed.body));
    await bucket.start();
    assert.equal((await test()).status, 'active');
    assert.equal((await shown()).error, null);
    await remove(made.id);
  });

  it('take other credentials when these can list the bucket, and keep the old ones otherwise', async () => {
    const { id } = await connected();
    const change = (body: object) =>
      client.request<Connection & Refusal>('PATCH', `/v1/connections/${id}`, { json: body });
    const wrong = await change({ credentials: credentials({ secret_access_key: WRONG_SECRET }) });
    assert.equal(wrong.status, 400, JSON.stringify(wrong.body));
    assert.equal((await client.post<{ success: boolean }>(`/v1/connections/${id}/test`, {})).body.success, true);
    const renamed = await change({ name: 'Renamed', credentials: credentials() });
    assert.deepEqual([renamed.status, renamed.body.status], [200, 'active'], JSON.stringify(renamed.body));
    assert.equal((await stranger.request('PATCH', `/v1/connections/${id}`, { json: { name: 'Mine' } })).status, 404);
    await remove(id);
  });

  it('show what lies in the bucket, page by page, below their prefix', async () => {
    type Page = { objects: { key: string; size_bytes: number; last_modified: string }[]; next_cursor: string | null };
    const { id } = await connected();
    const page = async (query: string) => {
      const { status, body } = await client.get<Page>(`/v1/connections/${id}/browse${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: Page = await page(`?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      found.push(...next.objects.map(({ key }) => key));
      cursor = next.next_cursor;
    }
    assert.deepEqual(found, KEYS);
    const below = await page(`?prefix=${encodeURIComponent('contracts/2026/')}`);
    assert.deepEqual(
      below.objects.map(({ key }) => key),
      KEYS.slice(1, 3),
    );
    assert.equal(below.objects[1]?.size_bytes, 'text of contracts/2026/sale.pdf'.length);
    for (const query of ['?limit=0', '?limit=201', '?cursor=nonsense']) {
      assert.equal((await client.get(`/v1/connections/${id}/browse${query}`)).status, 400, query);
    }
    const { body } = await client.post<{ buckets: { name: string }[] }>('/v1/connections/list-buckets', {
      provider: 'selfhost_s3',
      credentials: credentials(),
    });
    assert.deepEqual(
      body.buckets.map(({ name }) => name),
      [bucket.bucket],
    );
    await remove(id);
  });

  it('do not exist for another organization, nor for the other mode of the same one', async () => {
    const { id } = await connected();
    for (const other of [stranger, sameInTestMode]) {
      assert.equal((await other.get(`/v1/connections/${id}`)).status, 404);
      assert.equal((await other.get(`/v1/connections/${id}/browse`)).status, 404);
      assert.equal((await other.post(`/v1/connections/${id}/test`, {})).status, 404);
      assert.equal((await remove(id, other)).status, 404);
      assert.deepEqual(await all(other), []);
    }
    assert.equal((await client.get(`/v1/connections/${id.replace('conn', 'file')}`)).status, 404);
    assert.equal((await remove(id)).status, 200);
  });

  it('are gone at once when they are deleted, and nothing in the bucket changes', async () => {
    const { id } = await connected();
    assert.deepEqual((await remove(id)).body, { deleted: true });
    assert.equal((await client.get(`/v1/connections/${id}`)).status, 404);
    assert.equal((await client.post(`/v1/connections/${id}/test`, {})).status, 404);
    assert.equal((await remove(id)).status, 404);
    assert.ok((await all()).every((connection) => connection.id !== id));
    for (const key of KEYS) assert.equal(await bucket.read(key), `text of ${key}`);
  });

  it('leave no credential in any log', () => {
    const directory = join(system.dataDir, 'logs');
    const logs = readdirSync(directory);
    assert.ok(logs.some((name) => name.startsWith('connections')));
    for (const name of logs) {
      const text = readFileSync(join(directory, name), 'utf8');
      for (const secret of [bucket.secretAccessKey, WRONG_SECRET])
        assert.ok(!text.includes(secret), `${name} holds a secret`);
    }
  });
});
