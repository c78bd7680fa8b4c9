// Connections over HTTP: verify a bucket, connect, browse, test and delete.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startForeignBucket, type ForeignBucket } from './support/foreign-bucket.js';
import { bodyOf, KilnClient, type Answer } from './support/kiln-client.js';
import { newKey } from './support/operator.config.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

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
  let system: SystemUnderTest;
  let bucket: ForeignBucket;
  let client: KilnClient;
  let sameInTestMode: KilnClient;
  let stranger: KilnClient;

  beforeAll(async () => {
    bucket = await startForeignBucket();
    for (const key of KEYS) await bucket.put(key, `text of ${key}`);
    system = await systemUnderTest();
    [client, stranger] = await Promise.all([system.newClient(), system.newClient()]);
    const { body: me } = await client.get<{ org_id: string }>('/v1/me');
    sameInTestMode = await KilnClient.of(client.baseUrl, await newKey(system.dataDir, me.org_id, 'test'));
  });
  afterAll(async () => {
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
    return bodyOf(await verify<Connection>({}, more), 201);
  }

  /** Rejected requests leave no data. */
  async function refused(answering: () => Promise<Answer<Refusal>>, reason: RegExp): Promise<void> {
    const before = await all();
    const { code, error } = bodyOf(await answering(), 400);
    expect(code).toBe('BAD_REQUEST');
    expect(error).toMatch(reason);
    expect(await all()).toStrictEqual(before);
  }

  it('are offered for nine providers, each with instructions for the owner', async () => {
    const { status, body } = await client.get<{ providers: { id: string; name: string; auth_type: string }[] }>(
      '/v1/connections/providers',
    );
    expect(status).toBe(200);
    expect(Object.fromEntries(body.providers.map(({ id, auth_type }) => [id, auth_type]))).toStrictEqual({
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
    for (const { id } of body.providers) expect((await start(id)).instructions.steps.length).toBeGreaterThan(0);
    const [first, again, other] = [await start('s3'), await start('s3'), await start('s3', stranger)];
    expect(typeof first.instructions.role_arn).toBe('string');
    expect(first.instructions.external_id).toBe(again.instructions.external_id);
    expect(first.instructions.external_id).not.toBe(other.instructions.external_id);
  });

  it('are created for a bucket that was listed, and never return a credential', async () => {
    const made = await connected({ prefix: 'contracts/' });
    expect([made.status, made.verified, made.bucket]).toStrictEqual(['active', true, bucket.bucket]);
    const shown = await client.get(`/v1/connections/${made.id}`);
    const listed = (await all()).find(({ id }) => id === made.id);
    for (const returned of [made, shown.body, listed]) {
      expect(returned).toBeDefined();
      expect(JSON.stringify(returned)).not.toContain(bucket.secretAccessKey);
      expect(JSON.stringify(returned)).not.toContain(bucket.accessKeyId);
    }
    expect((await remove(made.id)).status).toBe(200);
  });

  it('are rejected with the reason if the bucket cannot be listed', async () => {
    await refused(() => verify({ secret_access_key: WRONG_SECRET }), /refused the credentials/);
    await refused(() => verify({}, { bucket: 'no-such-bucket' }), /no such bucket/);
    await refused(() => verify({ endpoint: 'http://127.0.0.1:1' }), /refused the connection/);
    const held: { destroy(): void }[] = [];
    const silent = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await refused(
      () => verify({ endpoint: `http://127.0.0.1:${(silent.address() as { port: number }).port}` }),
      /did not answer in time/,
    );
    for (const socket of held) socket.destroy();
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

  it('never connect to a private address that is not allowed, in any notation', async () => {
    for (const endpoint of [
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[::1]',
      'https://[::ffff:192.168.0.1]',
      'https://3232235777',
      'https://0x7f.0.0.2',
      'http://93.184.215.14',
    ]) {
      await refused(() => verify({ endpoint }), /^credentials\.endpoint /);
      await refused(
        () => client.post('/v1/connections', { ...place(), credentials: credentials({ endpoint }) }),
        /^credentials\.endpoint /,
      );
    }
  });

  it('are rejected for invalid input, field by field', async () => {
    const post = (body: object) => () => client.post<Refusal>('/v1/connections/verify', body);
    await refused(post({ ...place(), provider: 'floppy', credentials: credentials() }), /^provider /);
    await refused(post({ ...place(), bucket: '../theirs', credentials: credentials() }), /^bucket /);
    await refused(
      post({ ...place(), credentials: { access_key_id: 7 } }),
      /credentials\.access_key_id .*credentials\.secret_access_key /,
    );
    await refused(post(place()), /^credentials /);
    const role = { role_arn: 'arn:aws:iam::123456789012:role/theirs', external_id: 'org_of_somebody_else' };
    await refused(post({ ...place(), provider: 's3', credentials: role }), /^credentials\.external_id /);
  });

  it('are pending until a first test succeeds, and return the reason while the bucket is unavailable', async () => {
    const { body: made } = await client.post<Connection>('/v1/connections', { ...place(), credentials: credentials() });
    const test = async () =>
      (
        await client.post<{ success: boolean; status: string; error: Connection['error'] }>(
          `/v1/connections/${made.id}/test`,
          {},
        )
      ).body;
    const shown = async () => (await client.get<Connection>(`/v1/connections/${made.id}`)).body;
    expect(made.status).toBe('pending');
    await bucket.stop();
    const failed = await test();
    expect([failed.success, failed.status, failed.error?.code]).toStrictEqual([false, 'pending', 'unreachable']);
    await bucket.start();
    expect(await test()).toStrictEqual({ success: true, status: 'active', error: null });
    await bucket.stop();
    expect([(await test()).status, (await shown()).status, (await shown()).error?.code]).toStrictEqual([
      'error',
      'error',
      'unreachable',
    ]);
    bodyOf(await client.get(`/v1/connections/${made.id}/browse`), 424);
    await bucket.start();
    expect((await test()).status).toBe('active');
    expect((await shown()).error).toBeNull();
    await remove(made.id);
  });

  it('accept new credentials that can list the bucket, and otherwise keep the old ones', async () => {
    const { id } = await connected();
    const change = (body: object) =>
      client.request<Connection & Refusal>('PATCH', `/v1/connections/${id}`, { json: body });
    bodyOf(await change({ credentials: credentials({ secret_access_key: WRONG_SECRET }) }), 400);
    expect((await client.post<{ success: boolean }>(`/v1/connections/${id}/test`, {})).body.success).toBe(true);
    const renamed = bodyOf(await change({ name: 'Renamed', credentials: credentials() }), 200);
    expect(renamed.status).toBe('active');
    expect((await stranger.request('PATCH', `/v1/connections/${id}`, { json: { name: 'Mine' } })).status).toBe(404);
    await remove(id);
  });

  it('list the bucket page by page, below their prefix', async () => {
    type Page = { objects: { key: string; size_bytes: number; last_modified: string }[]; next_cursor: string | null };
    const { id } = await connected();
    const browse = (query: string) => client.get<Page>(`/v1/connections/${id}/browse${query}`);
    const page = async (query: string) => bodyOf(await browse(query), 200);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: Page = await page(`?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      found.push(...next.objects.map(({ key }) => key));
      cursor = next.next_cursor;
    }
    expect(found).toStrictEqual(KEYS);
    const below = await page(`?prefix=${encodeURIComponent('contracts/2026/')}`);
    expect(below.objects.map(({ key }) => key)).toStrictEqual(KEYS.slice(1, 3));
    expect(below.objects[1]?.size_bytes).toBe('text of contracts/2026/sale.pdf'.length);
    for (const query of ['?limit=0', '?limit=201', '?cursor=nonsense']) bodyOf(await browse(query), 400);
    const { body } = await client.post<{ buckets: { name: string }[] }>('/v1/connections/list-buckets', {
      provider: 'selfhost_s3',
      credentials: credentials(),
    });
    expect(body.buckets.map(({ name }) => name)).toStrictEqual([bucket.bucket]);
    await remove(id);
  });

  it('are not visible to another organization, or to the other mode of the same one', async () => {
    const { id } = await connected();
    for (const other of [stranger, sameInTestMode]) {
      expect((await other.get(`/v1/connections/${id}`)).status).toBe(404);
      expect((await other.get(`/v1/connections/${id}/browse`)).status).toBe(404);
      expect((await other.post(`/v1/connections/${id}/test`, {})).status).toBe(404);
      expect((await remove(id, other)).status).toBe(404);
      expect(await all(other)).toStrictEqual([]);
    }
    expect((await client.get(`/v1/connections/${id.replace('conn', 'file')}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(200);
  });

  it('are deleted at once, without changes in the bucket', async () => {
    const { id } = await connected();
    expect((await remove(id)).body).toStrictEqual({ deleted: true });
    expect((await client.get(`/v1/connections/${id}`)).status).toBe(404);
    expect((await client.post(`/v1/connections/${id}/test`, {})).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await all()).map((connection) => connection.id)).not.toContain(id);
    for (const key of KEYS) expect(await bucket.read(key)).toBe(`text of ${key}`);
  });

  it('write no credential to any log', () => {
    const directory = join(system.dataDir, 'logs');
    const logs = readdirSync(directory);
    expect(logs).toContainEqual(expect.stringMatching(/^connections/));
    const telling = logs.filter((name) => {
      const text = readFileSync(join(directory, name), 'utf8');
      return text.includes(bucket.secretAccessKey) || text.includes(WRONG_SECRET);
    });
    expect(telling).toStrictEqual([]);
  });
});
