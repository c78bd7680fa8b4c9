// Real: Postgres, the engine of syncs, the embedded object store. Written by the test: the inventories, in the form that AWS documents.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { hostileKeys } from '../test/hostile-keys.js';
import { COLUMNS, rowOf, rowsOf, writeInventory, type WrittenInventory } from '../test/inventories.js';
import { newBucket, newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { withTemporaryFolder } from '../test/temporary-folder.config.js';

const PREFIX = 'inventories/documents/kiln/';
const MINUTE_MS = 60_000;

describe('a sync by an inventory in Parquet', () => {
  let kiln: SyncsHarness;
  let source: Awaited<ReturnType<typeof newBucket>>;
  let target: Awaited<ReturnType<typeof newBucket>>;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    [source, target] = [await newBucket(), await newBucket()];
    const inventory = { bucket: target.connection.bucket, prefix: PREFIX };
    connectionId = await kiln.connect(tenantId, { ...source.connection, on_delete: 'keep', inventory });
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    source.objects.close();
    target.objects.close();
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
    expect(copies()).toStrictEqual([]);
  });
  afterAll(() => kiln.close());

  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('kiln-inventory-'));
  const write = (files: readonly string[][], changes: Partial<WrittenInventory> = {}) =>
    writeInventory(target.objects, {
      bucket: source.connection.bucket,
      prefix: PREFIX,
      createdAt: new Date(),
      files: files.map((rows) => `${rows.join('\n')}\n`),
      format: 'Parquet',
      ...changes,
    });
  const row = (key: string, { bucket = source.connection.bucket, storageClass = 'STANDARD', size = '1' } = {}) =>
    rowOf([bucket, encodeURIComponent(key), size, '2026-01-01T00:00:00.789Z', 'e', storageClass]);
  const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const sync = async (force = false) => (await kiln.sync(tenantId, connectionId, force)).row;
  const nodes = (id: string) =>
    kiln.sql(
      `select path, name, is_file, size_bytes, etag, content_type, last_modified, archived_in, excluded_by from nodes
       where connection_id = $1 order by path`,
      [id],
    );

  it('makes the nodes that a sync by a listing makes, in whatever order its rows are', async () => {
    const literal = ['a b/c+d.txt', 'a%2Fb.txt', 'a%20b', '100%', '+', '😀 ü/%F0%9F.txt'];
    await source.put([...hostileKeys, ...literal, 'docs/ü/1.txt', 'docs/2.txt']);
    const rows = await rowsOf(source.connection.bucket, source.objects);
    await write([rows.slice(0, 5).toReversed(), rows.slice(5).toReversed()]);
    const listed = await kiln.connect(tenantId, source.connection);
    const { row: expected } = await kiln.sync(tenantId, listed);
    const synced = await sync();
    expect([synced?.status, synced?.skipped]).toStrictEqual(['completed', expected?.skipped]);
    expect(await nodes(connectionId)).toStrictEqual(await nodes(listed));
    expect(await kiln.paths(connectionId)).toEqual(expect.arrayContaining(literal));
  });

  it('makes the nodes of the same inventory in CSV, with archived objects and without those that cannot be stored', async () => {
    const rows = [
      row('standard'),
      row('archived', { storageClass: 'GLACIER' }),
      row('deep', { storageClass: 'DEEP_ARCHIVE' }),
      row('large', { size: '5000000000000' }),
      row('no size', { size: '' }),
      row('beyond numbers', { size: '9223372036854775807' }),
      row('no class', { storageClass: '' }),
    ];
    const csv = await kiln.connect(tenantId, {
      ...source.connection,
      inventory: { bucket: target.connection.bucket, prefix: 'csv/' },
    });
    await write([rows], { format: 'CSV', prefix: 'csv/' });
    await write([rows]);
    const { row: expected } = await kiln.sync(tenantId, csv);
    expect((await sync())?.skipped).toBe(expected?.skipped);
    expect(await nodes(connectionId)).toStrictEqual(await nodes(csv));
    expect((await nodes(connectionId)).length).toBe(5);
  });

  it('reads only the current versions of a bucket with versions', async () => {
    const columns = [...COLUMNS, 'VersionId', 'IsLatest', 'IsDeleteMarker'];
    const version = (key: string, isLatest: string, isMarker: string) =>
      `${row(key)},${rowOf(['v', isLatest, isMarker])}`;
    const rows = [version('a', 'true', 'false'), version('a', 'false', 'false'), version('b', 'true', 'true')];
    await write([[...rows, version('b', 'false', 'false'), version('c', 'true', '')]], { columns });
    expect((await sync())?.synced_count).toBe(2);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a', 'c']);
  });

  it('resumes after its last committed page in the middle of a file, and stores each object once', async () => {
    const keys = Array.from({ length: 4_500 }, (_, number) => `f/${number}.txt`);
    const rows = keys.map((key) => row(key));
    await write([rows.slice(0, 2_500), [], rows.slice(2_500)]);
    kiln.limits.claimMs = 0;
    const { id } = await kiln.begin(tenantId, connectionId);
    const [outcomes, cursors]: [string[], unknown[]] = [[], []];
    const commit = kiln.pages.commit.bind(kiln.pages);
    const names: string[][] = [];
    kiln.pages.commit = (...given) => {
      names.push(copies());
      return commit(...given);
    };
    while (outcomes.at(-1) !== 'completed') {
      outcomes.push(await claim());
      cursors.push((await kiln.syncs.find(tenantId, id))?.next_cursor);
      await kiln.leasesEnd();
    }
    kiln.pages.commit = commit;
    // The copy has no name while it is read, so a worker that dies leaves nothing behind.
    expect(names.flat()).toStrictEqual([]);
    expect(cursors).toEqual(expect.arrayContaining(['0:1000', '0:2000', '2:1000']));
    const ended = await kiln.syncs.find(tenantId, id);
    expect([ended?.synced_count, ended?.files_added]).toStrictEqual([4_500, 4_500]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['f/', ...keys].toSorted());
  });

  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
  const withItsChecksum = (damage: (bytes: Buffer) => Buffer) => ({
    damage,
    changed: (bytes: Buffer) => ({ size: damage(bytes).length, MD5checksum: md5(damage(bytes)) }),
  });
  it.each<[string, Partial<WrittenInventory> & { rows?: object[] }, string, RegExp]>([
    ['is cut off', { damage: (bytes) => bytes.subarray(0, -10) }, 'listing_incomplete', /smaller than the manifest/],
    [
      'is longer',
      { damage: (bytes) => Buffer.concat([bytes, bytes]) },
      'listing_incomplete',
      /larger than the manifest/,
    ],
    ['has another checksum', { changed: () => ({ MD5checksum: md5(Buffer.from('')) }) }, 'listing_incomplete', /MD5/],
    [
      'is no Parquet',
      withItsChecksum(() => Buffer.from('"b","k"\n"b","k"\n')),
      'listing_incomplete',
      /no Parquet file/,
    ],
    ['lacks its footer', withItsChecksum((bytes) => bytes.subarray(0, -20)), 'listing_incomplete', /no Parquet file/],
    ['has a row of another bucket', { rows: [{ bucket: 'other' }] }, 'listing_incomplete', /another bucket/],
    ['is too large', { changed: () => ({ size: 1_024 ** 3 + 1 }) }, 'refused', /larger than 1 GiB/],
    ['has no size', { changed: () => ({ size: undefined }) }, 'refused', /how large/],
    ['lacks a field', { columns: COLUMNS.slice(0, 4) }, 'refused', /lack ETag/],
  ])('fails, and stores nothing, when a file %s', async (_, { rows = [], ...changes }, code, message) => {
    await source.put(['a.txt', 'b.txt']);
    await write([await rowsOf(source.connection.bucket, source.objects)], {
      createdAt: new Date(Date.now() - MINUTE_MS),
    });
    await sync();
    await source.objects.delete('b.txt');
    await write([[row('a.txt'), row('new.txt'), ...rows.map((one) => row('x', one))]], changes);
    const failed = await sync(true);
    expect([failed?.status, failed?.error_code]).toStrictEqual(['failed', code]);
    expect(failed?.error_message).toMatch(message);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'b.txt']);
  });

  it('is postponed, not failed, while the disk refuses the copy', async () => {
    await write([[row('a')]]);
    await kiln.begin(tenantId, connectionId);
    expect(await withTemporaryFolder('/dev/null/none', claim)).toBe('postponed');
    await kiln.leasesEnd();
    expect(await claim()).toBe('completed');
    expect(await kiln.paths(connectionId)).toStrictEqual(['a']);
  });

  it('fails when its files lack a column that its manifest has', async () => {
    const columns = COLUMNS.slice(0, 5);
    await write([[row('a').replace(/,"STANDARD"$/, '')]], { columns });
    const manifest = (await target.objects.list(PREFIX)).objects.find(({ key }) => key.endsWith('manifest.json'));
    const { key = '' } = manifest ?? {};
    const text = await new Response((await target.objects.get(key)).body as never).text();
    await target.objects.put(key, text.replace(' }"', ' optional binary storage_class (UTF8); }"'), {
      contentType: 'text/plain',
    });
    expect((await sync())?.error_message).toMatch(/lacks the column storage_class/);
  });
});
