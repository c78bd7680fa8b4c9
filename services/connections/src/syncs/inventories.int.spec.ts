// Real: Postgres, the engine of syncs, the embedded object store. Written by the test: the inventories, in the form that AWS documents.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { hostileKeys } from '../test/hostile-keys.js';
import { COLUMNS, rowOf, rowsOf, writeInventory, type WrittenInventory } from '../test/inventories.js';
import { newBucket, newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const PREFIX = 'inventories/documents/kiln/';
const MINUTE_MS = 60_000;

describe('a sync by an inventory', () => {
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
    connectionId = await kiln.connect(tenantId, { ...source.connection, on_delete: 'keep', inventory: place() });
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    source.objects.close();
    target.objects.close();
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(() => kiln.close());

  const place = () => ({ bucket: target.connection.bucket, prefix: PREFIX });
  const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
  const write = (files: readonly string[][], changes: Partial<WrittenInventory> = {}) =>
    writeInventory(target.objects, {
      bucket: source.connection.bucket,
      prefix: PREFIX,
      createdAt: new Date(),
      files: files.map((rows) => `${rows.join('\n')}\n`),
      ...changes,
    });
  const row = (key: string, changes: Partial<Record<string, string>> = {}) => {
    const cells = { Bucket: source.connection.bucket, Key: key, Size: '1', ETag: 'e', StorageClass: 'STANDARD' };
    const all: Record<string, string | undefined> = {
      ...cells,
      LastModifiedDate: '2026-01-01T00:00:00.000Z',
      ...changes,
    };
    return rowOf(COLUMNS.map((column) => all[column] ?? ''));
  };
  const claim = async (signal = new AbortController().signal) => kiln.runSync.execute(await kiln.claimOne(), signal);
  const sync = async (force = false) => (await kiln.sync(tenantId, connectionId, force)).row;
  const nodes = (id: string) =>
    kiln.sql(
      `select path, name, is_file, size_bytes, etag, content_type, last_modified, archived_in, excluded_by from nodes
       where connection_id = $1 order by path`,
      [id],
    );

  it('makes the nodes that a sync by a listing makes, in whatever order its rows are', async () => {
    await source.put([...hostileKeys, 'a b/c+d.txt', 'docs/ü/1.txt', 'docs/2.txt']);
    const rows = await rowsOf(source.connection.bucket, source.objects);
    await write([rows.slice(0, 5).toReversed(), rows.slice(5).toReversed()]);
    const listed = await kiln.connect(tenantId, source.connection);
    const { row: expected } = await kiln.sync(tenantId, listed);
    const synced = await sync();
    expect([synced?.status, synced?.skipped]).toStrictEqual(['completed', expected?.skipped]);
    expect(await nodes(connectionId)).toStrictEqual(await nodes(listed));
    expect((await nodes(connectionId)).length).toBeGreaterThan(20);
  });

  it('removes only nodes that were last seen before it was made, and whose objects the bucket does not have', async () => {
    await source.put(['kept.txt', 'late/new.txt', 'gone/old.txt']);
    const rows = await rowsOf(source.connection.bucket, source.objects);
    await write([rows], { createdAt: at(-10) });
    await sync();
    await source.objects.delete('gone/old.txt');
    // The nodes were seen after this inventory was made.
    await write([rows.filter((one) => one.includes('kept'))], { createdAt: at(-5) });
    await sync();
    expect(await kiln.paths(connectionId)).toStrictEqual([
      'gone/',
      'gone/old.txt',
      'kept.txt',
      'late/',
      'late/new.txt',
    ]);
    // S3 had not yet added the other object to this one.
    await write([rows.filter((one) => one.includes('kept'))], { createdAt: at(5) });
    expect((await sync())?.files_deleted).toBe(1);
    expect(await kiln.paths(connectionId)).toStrictEqual(['kept.txt', 'late/', 'late/new.txt']);
  });

  it('asks for more nodes than it looks up at a time, and goes on after an interruption', async () => {
    const present = Array.from({ length: 12 }, (_, number) => `f/${number * 200}.txt`);
    await source.put(present);
    await kiln.sql(
      `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, seen_at)
       select $1, $2, gen_random_uuid(), $2, true, s::text, 'f/' || s || '.txt', 1, now() - interval '1 day' from generate_series(0, 2399) s`,
      [tenantId, connectionId],
    );
    await write([[row('a')]]);
    const stopping = new AbortController();
    const remove = kiln.unlistedNodes.remove.bind(kiln.unlistedNodes);
    let removals = 0;
    kiln.unlistedNodes.remove = (...given) => {
      removals += 1;
      if (removals === 2) stopping.abort();
      return remove(...given);
    };
    const { id } = await kiln.begin(tenantId, connectionId, true);
    expect(await claim(stopping.signal)).toBe('released');
    kiln.unlistedNodes.remove = remove;
    expect(await claim()).toBe('completed');
    expect((await kiln.syncs.find(tenantId, id))?.files_deleted).toBe(2_388);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a', ...present].toSorted());
  });

  it('keeps a folder with a file that was seen after it was made', async () => {
    await source.put(['kept.txt', 'a/b/old.txt']);
    const rows = await rowsOf(source.connection.bucket, source.objects);
    await write([rows], { createdAt: at(-10) });
    await sync();
    await kiln.sql(`update nodes set seen_at = now() - interval '9 minutes' where connection_id = $1`, [connectionId]);
    await source.objects.delete('a/b/old.txt');
    await source.put(['a/b/new.txt']);
    await kiln.sql('update connections set inventory = null where id = $1', [connectionId]);
    await sync();
    await kiln.sql('update connections set inventory = $2 where id = $1', [
      connectionId,
      { ...place(), maxAgeHours: 1 },
    ]);
    await write([rows.filter((one) => one.includes('kept'))], { createdAt: at(-5) });
    expect((await sync())?.status).toBe('completed');
    expect(await kiln.paths(connectionId)).toStrictEqual(['a/', 'a/b/', 'a/b/new.txt', 'kept.txt']);
  });

  it('keeps the version of a node that was seen after it was made', async () => {
    await source.put(['a.txt', 'b.txt']);
    const old = await rowsOf(source.connection.bucket, source.objects);
    await source.put(['a.txt'], 'a longer text');
    await write([await rowsOf(source.connection.bucket, source.objects)], { createdAt: at(-10) });
    await sync();
    const before = await nodes(connectionId);
    await write([old], { createdAt: at(-5) });
    expect((await sync())?.files_updated).toBe(0);
    expect(await nodes(connectionId)).toStrictEqual(before);
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

  it('resumes after its last committed page when its worker stops, and stores each object once', async () => {
    const keys = Array.from({ length: 4_500 }, (_, number) => `f/${number}.txt`);
    const rows = keys.map((key) => row(key));
    await write([rows.slice(0, 2_500), [], rows.slice(2_500)]);
    kiln.limits.claimMs = 0;
    const { id } = await kiln.begin(tenantId, connectionId);
    const outcomes: string[] = [];
    const commit = kiln.pages.commit.bind(kiln.pages);
    let commits = 0;
    kiln.pages.commit = (...given) => {
      commits += 1;
      return commits === 3 ? Promise.reject(new Error('the connection was lost')) : commit(...given);
    };
    try {
      while (outcomes.at(-1) !== 'completed') {
        outcomes.push(await claim());
        await kiln.leasesEnd();
      }
    } finally {
      kiln.pages.commit = commit;
    }
    expect(outcomes.filter((outcome) => outcome === 'postponed').length).toBe(1);
    const ended = await kiln.syncs.find(tenantId, id);
    expect([ended?.synced_count, ended?.files_added]).toStrictEqual([4_500, 4_500]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['f/', ...keys.toSorted()].toSorted());
  });

  it.each<[string, Partial<WrittenInventory> & { rows?: string[] }, string]>([
    ['is cut off', { damage: (bytes) => bytes.subarray(0, -10) }, 'listing_incomplete'],
    ['is not compressed', { damage: () => Buffer.from('"b","k"\n') }, 'listing_incomplete'],
    ['has another checksum', { damage: (bytes) => Buffer.concat([bytes, bytes]) }, 'listing_incomplete'],
    ['has a key that is not encoded', { rows: [rowOf(['', '100%', '1', '', 'e', ''])] }, 'listing_incomplete'],
    ['has a row of another bucket', { rows: [rowOf(['other', 'k', '1', '', 'e', ''])] }, 'listing_incomplete'],
    ['has a row without end', { rows: [`"${'x'.repeat(2_000_000)}"`] }, 'listing_incomplete'],
    ['has a short row', { rows: [rowOf(['', 'k'])] }, 'listing_incomplete'],
    ['has an open quote', { rows: ['"a,b'] }, 'listing_incomplete'],
    ['is ORC', { format: 'ORC' }, 'refused'],
    ['lacks a field', { columns: COLUMNS.slice(0, 4) }, 'refused'],
    ['is of another bucket', { bucket: 'other' }, 'refused'],
  ])('fails, and removes nothing, when a file %s', async (_, { rows = [], ...changes }, code) => {
    await source.put(['a.txt', 'b.txt']);
    await write([await rowsOf(source.connection.bucket, source.objects)], { createdAt: at(-10) });
    await sync();
    await source.objects.delete('b.txt');
    const bad = rows.map((one) => one.replace(/^""/, `"${source.connection.bucket}"`));
    await write([[row('a.txt'), ...bad]], { ...changes, createdAt: at(5) });
    const failed = await sync(true);
    expect([failed?.status, failed?.error_code]).toStrictEqual(['failed', code]);
    expect(failed?.error_message).toContain('inventory');
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'b.txt']);
  });

  it('leaves out objects whose key is not UTF-8, or whose properties cannot be stored', async () => {
    const bad = [row('%ff'), row('size', { Size: '-1' }), row('time', { LastModifiedDate: 'yesterday' })];
    await write([[row('good'), ...bad, row('good')]]);
    const synced = await sync();
    expect([synced?.status, synced?.skipped, await kiln.paths(connectionId)]).toStrictEqual(['completed', 3, ['good']]);
  });

  it('uses the newest that is complete and not too old, and otherwise lists the bucket', async () => {
    await source.put(['listed.txt']);
    await write([[row('old')]], { createdAt: at(-49 * 60) });
    await sync();
    expect(await kiln.paths(connectionId)).toStrictEqual(['listed.txt']);
    await write([[row('day')]], { createdAt: at(-24 * 60) });
    await write([[row('hour')]], { createdAt: at(-60), isComplete: false });
    await sync();
    expect(await kiln.paths(connectionId)).toStrictEqual(['day', 'listed.txt']);
  });

  it('is begun again as a listing by a worker of release 0.2.0', async () => {
    await source.put(['listed.txt']);
    await write([Array.from({ length: 1_500 }, (_, number) => row(`n${number}`))]);
    kiln.limits.claimMs = 0;
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('yielded');
    const begunAgain = await kiln.sql(
      `update syncs s set connection_version = c.version, position = null, next_cursor = null, listed = false, started_at = now(), nodes_before = 7
       from connections c where s.id = $1 and c.id = s.connection_id and c.version <> s.connection_version returning s.force`,
      [id],
    );
    await kiln.sql('update syncs set force = true where id = $1', [id]);
    expect([begunAgain.length, await claim()]).toStrictEqual([1, 'completed']);
    expect(await kiln.paths(connectionId)).toStrictEqual(['listed.txt']);
  });

  it('is tried before the connection is created or changed', async () => {
    const verify = () => kiln.verify(tenantId, { ...source.connection, inventory: place() });
    await expect(verify()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('no inventory'),
    });
    await write([[row('a')]], { format: 'ORC' });
    await expect(verify()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('as Parquet or CSV'),
    });
    await write([[row('a')]], { createdAt: at(1) });
    const view = { ...place(), max_age_hours: 48 };
    expect(await verify()).toMatchObject({ verified: true, inventory: view });
    const id = encodeId('connection', connectionId);
    const change = (inventory: object | null) =>
      kiln.check.update({ id, org_id: kiln.organizationId, inventory: inventory as never }, contextOf(tenantId));
    expect(await change({ ...place(), max_age_hours: 30 })).toMatchObject({
      inventory: { ...view, max_age_hours: 30 },
    });
    await expect(change({ ...place(), prefix: 'other/' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await change(null)).inventory).toBeNull();
    const google = { provider: 'gcs' as const, name: 'n', bucket: 'b', inventory: place() };
    await expect(kiln.create(tenantId, google)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
