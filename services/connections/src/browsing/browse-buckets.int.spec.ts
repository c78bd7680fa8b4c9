// Real: Postgres, the embedded object store as an external bucket. Faked: one store, which lists invalid objects.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MESSAGE_BYTES_MAX } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage, type TestStorage } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { connectionTo, s3Shape, startScriptedStore } from '../test/scripted-store.js';

const tenantId = uuidv7();
const root = `${uuidv7()}/`;
const KEYS = Array.from(
  { length: 12 },
  (_, at) => `${root}${at < 6 ? 'in' : 'out'}/${String(at).padStart(2, '0')} ü.txt`,
);

describe('browsing a bucket', () => {
  let harness: ConnectionsHarness;
  let storage: TestStorage;
  beforeAll(async () => {
    [harness, storage] = await Promise.all([startConnections(), testStorage()]);
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    for (const key of KEYS) await store.put(key, 'text', { contentType: 'text/plain' });
    store.close();
  });
  afterAll(() => harness.close());

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

  it('returns every object once, page by page', async () => {
    const id = await connect(root);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await browse(id, { limit: 5, ...(cursor !== undefined && { cursor }) });
      expect(page.objects.length).toBeLessThanOrEqual(5);
      found.push(...keysOf(page));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toStrictEqual(KEYS);
    const [first] = (await browse(id, { limit: 1 })).objects;
    expect([first?.size_bytes, typeof first?.etag]).toStrictEqual([4, 'string']);
    expect(first?.last_modified ?? '').toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  });

  it('returns every object once, in pages that fit into a message, even with keys of the maximum length', async () => {
    const folder = `${uuidv7()}/`;
    const keys = Array.from({ length: 170 }, (_, at) => folder + String(at).padStart(3, '0') + '\u0001'.repeat(980));
    const store = createS3ObjectStore({ ...storage, forcePathStyle: true });
    await Promise.all(keys.map((key) => store.put(key, '', { contentType: 'text/plain' })));
    store.close();
    const id = await connect(folder);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await browse(id, { limit: 200, ...(cursor !== undefined && { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
      found.push(...keysOf(page));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toStrictEqual(keys);
  });

  it('leaves out objects with an invalid size or ETag', async () => {
    const store = await startScriptedStore();
    const objects = [{ key: 'a', sizeBytes: -1 }, { key: 'b' }, { key: 'c', etag: 'e'.repeat(2_000) }];
    store.answer = (response) => void response.end(s3Shape.page({ objects }));
    const { id } = await harness.create(tenantId, connectionTo(s3Shape, store.url));
    expect(keysOf(await browse(id))).toStrictEqual(['b']);
    await store.close();
  });

  it('never leaves the prefix of the connection', async () => {
    const id = await connect(`${root}in/`);
    expect(keysOf(await browse(id))).toStrictEqual(KEYS.slice(0, 6));
    expect(keysOf(await browse(id, { prefix: root }))).toStrictEqual(KEYS.slice(0, 6));
    expect(keysOf(await browse(id, { prefix: '' }))).toStrictEqual(KEYS.slice(0, 6));
    expect(keysOf(await browse(id, { prefix: `${root}in/03` }))).toStrictEqual([KEYS[3]]);
    expect(await browse(id, { prefix: `${root}out/` })).toStrictEqual({ objects: [], next_cursor: null });
  });

  it('rejects the cursor of another list', async () => {
    const [id, other] = [await connect(root), await connect(root)];
    const { next_cursor: cursor } = await browse(id, { limit: 2 });
    if (!cursor) throw new Error('no cursor');
    await expect(browse(other, { cursor })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^cursor/),
    });
    await expect(browse(id, { cursor, prefix: `${root}in/` })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^cursor/),
    });
    await expect(browse(id, { cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^cursor/),
    });
  });

  it('returns the reason when the bucket cannot be listed', async () => {
    const wrong = await connect(root, { secret_access_key: 'wrong' });
    await expect(browse(wrong)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/refused the credentials/),
    });
    const bare = await harness.create(tenantId, { provider: 's3', name: 'n', bucket: 'bucket' });
    await expect(browse(bare.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/no credentials/),
    });
  });

  it('lists the buckets that the credentials can see', async () => {
    const { buckets } = await harness.browse.listBuckets(
      { provider: 'selfhost_s3', credentials: credentials(), org_id: harness.organizationId },
      contextOf(tenantId),
    );
    expect(buckets.map(({ name }) => name)).toContain(storage.bucket);
    const wrong = harness.browse.listBuckets(
      {
        provider: 'selfhost_s3',
        credentials: { ...credentials(), access_key_id: 'unknown' },
        org_id: harness.organizationId,
      },
      contextOf(tenantId),
    );
    await expect(wrong).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/refused the credentials/),
    });
  });
});
