// Real: Postgres, the embedded object store as somebody else's bucket. Faked: one store, which lists what makes no sense.
import { MESSAGE_BYTES_MAX } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage, type TestStorage } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { connectionTo, s3Shape, startScriptedStore } from '../test/scripted-store.js';

const tenantId = uuidv7();
const root = `${uuidv7()}/`;
const KEYS = Array.from(
  { length: 12 },
  (_, at) => `${root}${at < 6 ? 'in' : 'out'}/${String(at).padStart(2, '0')} ü.txt`,
);

describe('a bucket is browsed', () => {
  let harness: ConnectionsHarness;
  let storage: TestStorage;
  before(async () => {
    [harness, storage] = await Promise.all([startConnections(), testStorage()]);
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    for (const key of KEYS) await store.put(key, 'text', { contentType: 'text/plain' });
    store.close();
  });
  after(() => harness.close());

  const credentials = () => ({
    access_key_id: storage.accessKeyId,
    secret_access_key: storage.secretAccessKey,
    endpoint: storage.endpoint,
  });
  const connect = async (prefix: string, change: object = {}) =>
    (
      await harness.create(tenantId, {
        provider: 'selfhost_s3',
        name: 'Theirs',
        bucket: storage.bucket,
        prefix,
        credentials: { ...credentials(), ...change },
      })
    ).id;
  const browse = (id: string, query: { prefix?: string; limit?: number; cursor?: string } = {}) =>
    harness.browse.browse({ id, limit: 50, ...query }, contextOf(tenantId));
  const keysOf = ({ objects }: Awaited<ReturnType<typeof browse>>) => objects.map(({ key }) => key);

  it('page by page, every object once', async () => {
    const id = await connect(root);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await browse(id, { limit: 5, ...(cursor !== undefined && { cursor }) });
      assert.ok(page.objects.length <= 5);
      found.push(...keysOf(page));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(found, KEYS);
    const [first] = (await browse(id, { limit: 1 })).objects;
    assert.deepEqual([first?.size_bytes, typeof first?.etag], [4, 'string']);
    assert.match(first?.last_modified ?? '', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  });

  it('in pages that fit into a message, every object once, with the longest keys there can be', async () => {
    const folder = `${uuidv7()}/`;
    const keys = Array.from({ length: 170 }, (_, at) => folder + String(at).padStart(3, '0') + '\u0001'.repeat(980));
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    for (const key of keys) await store.put(key, '', { contentType: 'text/plain' });
    store.close();
    const id = await connect(folder);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await browse(id, { limit: 200, ...(cursor !== undefined && { cursor }) });
      assert.ok(Buffer.byteLength(JSON.stringify(page)) <= MESSAGE_BYTES_MAX);
      found.push(...keysOf(page));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(found, keys);
  });

  it('without objects whose size or ETag makes no sense', async () => {
    const store = await startScriptedStore();
    const objects = [{ key: 'a', sizeBytes: -1 }, { key: 'b' }, { key: 'c', etag: 'e'.repeat(2_000) }];
    store.answer = (response) => void response.end(s3Shape.page({ objects }));
    const { id } = await harness.create(tenantId, connectionTo(s3Shape, store.url));
    assert.deepEqual(keysOf(await browse(id)), ['b']);
    await store.close();
  });

  it('below the prefix of the connection only, whatever is asked for', async () => {
    const id = await connect(`${root}in/`);
    assert.deepEqual(keysOf(await browse(id)), KEYS.slice(0, 6));
    assert.deepEqual(keysOf(await browse(id, { prefix: root })), KEYS.slice(0, 6));
    assert.deepEqual(keysOf(await browse(id, { prefix: '' })), KEYS.slice(0, 6));
    assert.deepEqual(keysOf(await browse(id, { prefix: `${root}in/03` })), [KEYS[3]]);
    assert.deepEqual(await browse(id, { prefix: `${root}out/` }), { objects: [], next_cursor: null });
  });

  it('with a cursor of this list only', async () => {
    const [id, other] = [await connect(root), await connect(root)];
    const { next_cursor: cursor } = await browse(id, { limit: 2 });
    assert.ok(cursor);
    await assert.rejects(browse(other, { cursor }), { code: 'BAD_REQUEST', message: /^cursor/ });
    await assert.rejects(browse(id, { cursor, prefix: `${root}in/` }), { code: 'BAD_REQUEST', message: /^cursor/ });
    await assert.rejects(browse(id, { cursor: 'nonsense' }), { code: 'BAD_REQUEST', message: /^cursor/ });
  });

  it('and otherwise the reason is told', async () => {
    const wrong = await connect(root, { secret_access_key: 'wrong' });
    await assert.rejects(browse(wrong), { code: 'CONFLICT', message: /refused the credentials/ });
    const bare = await harness.create(tenantId, { provider: 's3', name: 'n', bucket: 'bucket' });
    await assert.rejects(browse(bare.id), { code: 'CONFLICT', message: /no credentials/ });
  });

  it('by the names of the buckets that credentials see', async () => {
    const { buckets } = await harness.browse.listBuckets(
      { provider: 'selfhost_s3', credentials: credentials(), org_id: harness.organizationId },
      contextOf(tenantId),
    );
    assert.ok(buckets.some(({ name }) => name === storage.bucket));
    const wrong = harness.browse.listBuckets(
      {
        provider: 'selfhost_s3',
        credentials: { ...credentials(), access_key_id: 'unknown' },
        org_id: harness.organizationId,
      },
      contextOf(tenantId),
    );
    await assert.rejects(wrong, { code: 'BAD_REQUEST', message: /refused the credentials/ });
  });
});
