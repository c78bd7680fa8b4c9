// Real: Postgres, and the embedded object store as the bucket of a customer. A crash is simulated by a walk that ends between two pages.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}.txt`);

describe('a sync', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  afterEach(async () => {
    kiln.access.pageSize = 1_000;
    kiln.access.onPage = () => undefined;
    await kiln.sql('delete from outbox');
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(() => kiln.close());

  async function connected(prefix?: string) {
    tenantId = uuidv7();
    const bucket = await newBucket();
    const connectionId = await kiln.connect(tenantId, {
      ...bucket.connection,
      ...(prefix !== undefined && { prefix }),
    });
    return { ...bucket, connectionId };
  }
  const counts = (row: { files_added: number; files_updated: number; files_deleted: number } | null) =>
    row && [row.files_added, row.files_updated, row.files_deleted];

  it('creates a node for each object and each folder, once, even when several pages contain the folder', async () => {
    const { put, connectionId } = await connected();
    await put(['a.txt', 'docs/b.md', 'docs/deep/er/c.pdf', 'docs/deep/d.png', 'empty/', 'z.txt']);
    kiln.access.pageSize = 2;
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect(outcome).toBe('completed');
    expect([row?.synced_count, ...(counts(row) ?? [])]).toStrictEqual([5, 5, 0, 0]);
    const paths = [
      'a.txt',
      'docs/',
      'docs/b.md',
      'docs/deep/',
      'docs/deep/d.png',
      'docs/deep/er/',
      'docs/deep/er/c.pdf',
      'empty/',
      'z.txt',
    ];
    expect(await kiln.paths(connectionId)).toStrictEqual(paths);
    const parents = await kiln.sql<{ path: string; parent: string | null }>(
      `select n.path, p.path as parent from visible_nodes n left join visible_nodes p on p.tenant_id = n.tenant_id and p.id = n.parent_id
       where n.connection_id = $1 order by n.path`,
      [connectionId],
    );
    expect(Object.fromEntries(parents.map(({ path, parent }) => [path, parent]))).toStrictEqual({
      'a.txt': null,
      'docs/': null,
      'docs/b.md': 'docs/',
      'docs/deep/': 'docs/',
      'docs/deep/d.png': 'docs/deep/',
      'docs/deep/er/': 'docs/deep/',
      'docs/deep/er/c.pdf': 'docs/deep/er/',
      'empty/': null,
      'z.txt': null,
    });
  });

  it('updates nodes whose ETag or size changed, leaves the others unchanged, and removes nodes whose object is gone', async () => {
    const { objects, put, connectionId } = await connected();
    await put(['same.txt', 'changed.txt', 'gone/away.txt']);
    await kiln.sync(tenantId, connectionId);
    const idsOf = () =>
      kiln.sql<{ path: string; id: string }>(
        'select path, id from visible_nodes where connection_id = $1 order by path',
        [connectionId],
      );
    const earlier = await idsOf();
    await put(['changed.txt'], 'other bytes');
    await put(['new.txt'], 'new bytes');
    await objects.delete('gone/away.txt');
    const { row } = await kiln.sync(tenantId, connectionId);
    expect(counts(row)).toStrictEqual([1, 1, 1]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['changed.txt', 'new.txt', 'same.txt']);
    const kept = (await idsOf()).filter(({ path }) => path !== 'new.txt');
    // The ids stay the same.
    expect(kept).toStrictEqual(earlier.filter(({ path }) => !path.startsWith('gone/')));
    const [changed] = await kiln.sql<{ size_bytes: number }>(
      `select size_bytes from visible_nodes where connection_id = $1 and path = 'changed.txt'`,
      [connectionId],
    );
    expect(changed?.size_bytes).toBe('other bytes'.length);
    expect(counts((await kiln.sync(tenantId, connectionId)).row)).toStrictEqual([0, 0, 0]);
  });

  it('lists only keys under the prefix of its connection; the tree begins there', async () => {
    const { put, connectionId } = await connected('docs/re');
    await put(['docs/other.txt', 'docs/report.txt', 'docs/reports/a.txt', 'x.txt']);
    await kiln.sync(tenantId, connectionId);
    expect(await kiln.paths(connectionId)).toStrictEqual(['docs/report.txt', 'docs/reports/', 'docs/reports/a.txt']);
    const top = await kiln.manageNodes.list(
      { connection_id: encodeId('connection', connectionId), parent_id: 'root', limit: 50 },
      contextOf(tenantId),
    );
    expect(top.nodes.map(({ type, name }) => [type, name])).toStrictEqual([
      ['folder', 'reports'],
      ['file', 'report.txt'],
    ]);
  });

  it('that was interrupted resumes after the last committed page', async () => {
    const { put, connectionId } = await connected();
    const keys = numbered(25);
    await put(keys);
    kiln.access.pageSize = 10;
    const listed: string[][] = [];
    const dying = new AbortController();
    kiln.access.onPage = (page) => {
      listed.push([...page]);
      if (listed.length === 2) dying.abort();
    };
    await kiln.begin(tenantId, connectionId);
    const first = await kiln.claimOne();
    expect(await kiln.runSync.execute(first, dying.signal)).toBe('released');
    // The current page is still committed.
    expect(await kiln.paths(connectionId)).toStrictEqual(keys.slice(0, 20));
    const second = await kiln.claimOne();
    expect([second.id, second.fence, second.position]).toStrictEqual([first.id, 2, keys[19]]);
    expect(await kiln.runSync.execute(second, new AbortController().signal)).toBe('completed');
    // Each key is listed once.
    expect(listed.flat()).toStrictEqual(keys);
    const row = await kiln.syncs.find(tenantId, first.id);
    expect([row?.synced_count, ...(counts(row) ?? [])]).toStrictEqual([25, 25, 0, 0]);
  });

  it('whose worker lost its lease commits no page, removes nothing and does not end', async () => {
    const { objects, put, connectionId } = await connected();
    await put(numbered(5));
    await kiln.sync(tenantId, connectionId);
    await objects.delete('000.txt');
    await kiln.begin(tenantId, connectionId);
    const slow = await kiln.claimOne();
    await kiln.leasesEnd();
    const next = await kiln.claimOne();
    await put(['new.txt']);
    expect(await kiln.runSync.execute(slow, new AbortController().signal)).toBe('lost');
    expect(await kiln.paths(connectionId)).toStrictEqual(numbered(5));
    expect(await kiln.runSync.execute({ ...slow, listed: true }, new AbortController().signal)).toBe('lost');
    expect(await kiln.paths(connectionId)).toStrictEqual(numbered(5));
    expect((await kiln.syncs.find(tenantId, slow.id))?.status).toBe('syncing');
    expect(await kiln.runSync.execute(next, new AbortController().signal)).toBe('completed');
    expect(await kiln.paths(connectionId)).toStrictEqual([...numbered(5).slice(1), 'new.txt']);
  });

  it('removes nothing before the whole bucket is listed', async () => {
    const { objects, put, connectionId } = await connected();
    await put(numbered(6));
    await kiln.sync(tenantId, connectionId);
    await objects.delete('000.txt');
    kiln.access.pageSize = 2;
    let pages = 0;
    kiln.access.onPage = async () => {
      pages++;
      expect(await kiln.paths(connectionId)).toContain('000.txt');
    };
    const { row } = await kiln.sync(tenantId, connectionId);
    expect(pages).toBe(3);
    expect(counts(row)).toStrictEqual([0, 0, 1]);
    expect(await kiln.paths(connectionId)).not.toContain('000.txt');
  });

  it('emits connection.synced or connection.sync.failed in the transaction that ends it and sets the status of its connection', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(3));
    const { row } = await kiln.sync(tenantId, connectionId);
    if (!row) throw new Error('no row');
    const ids = { connection_id: encodeId('connection', connectionId), sync_id: encodeId('sync', row.id) };
    expect(await kiln.emitted()).toStrictEqual([
      { type: 'connection.synced', data: { ...ids, files_added: 3, files_updated: 0, files_deleted: 0 } },
    ]);
    expect((await kiln.connections.find(tenantId, connectionId))?.status).toBe('active');

    await kiln.sql('delete from outbox');
    await kiln.sql(`update connections set bucket = 'no-such-bucket' where id = $1`, [connectionId]);
    const failed = await kiln.sync(tenantId, connectionId);
    expect(failed.outcome).toBe('failed');
    const [event] = await kiln.emitted();
    if (!event) throw new Error('no event');
    expect(event.type).toBe('connection.sync.failed');
    expect((event.data['error'] as { code: string }).code).toBe('bucket_not_found');
    expect((await kiln.connections.find(tenantId, connectionId))?.status).toBe('error');
    // The nodes found so far stay.
    expect(await kiln.paths(connectionId)).toStrictEqual(numbered(3));
  });

  it('is retried while the store is unavailable, and then fails with the reason', async () => {
    const { connectionId } = await connected();
    const unreachable = { provider: 'selfhost_s3' as const, name: 'n', bucket: 'bucket-x' };
    const credentials = { access_key_id: 'a', secret_access_key: 'b', endpoint: 'http://127.0.0.1:9' };
    const away = await kiln.connect(tenantId, { ...unreachable, credentials });
    expect(away).not.toBe(connectionId);
    const { id } = await kiln.begin(tenantId, away);
    const outcomes: string[] = [];
    while (!outcomes.includes('failed')) {
      await kiln.leasesEnd();
      outcomes.push(await kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal));
      expect(outcomes.length).toBeLessThanOrEqual(20);
    }
    expect(outcomes).toStrictEqual([...Array<string>(19).fill('postponed'), 'failed']);
    const row = await kiln.syncs.find(tenantId, id);
    expect(row?.error_code).toBe('unreachable');
    expect(await kiln.emitted()).toHaveLength(1);
  });

  it('runs once at a time for a connection: a second one is 409; other connections are not affected', async () => {
    const { connectionId, connection } = await connected();
    const other = await kiln.connect(tenantId, connection);
    await kiln.begin(tenantId, connectionId);
    await expect(kiln.startSync(tenantId, connectionId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await kiln.begin(tenantId, other);
    await expect(kiln.startSync(uuidv7(), connectionId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is awaited by the request that starts it, which returns it as syncing when it takes longer', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(3));
    const { ended, stop } = kiln.newWorker();
    try {
      const done = await kiln.completed(tenantId, connectionId);
      expect(done.synced_count).toBe(3);
      const before = ended.length;
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      kiln.access.onPage = () => held;
      const running = await kiln.startSync(tenantId, connectionId, 1_500);
      // A busy worker may not have begun it yet.
      expect(['pending', 'syncing']).toContain(running.status);
      await eventually(async () => (await kiln.syncs.newest(tenantId, connectionId))?.status === 'syncing');
      goOn();
      await eventually(() => ended.length > before);
      expect(ended.at(-1)).toBe('completed');
    } finally {
      await stop();
    }
  });

  it('that is started twice with one id runs once', async () => {
    const { connectionId } = await connected();
    const id = uuidv7();
    const first = await kiln.syncs.start(tenantId, id, connectionId);
    const again = await kiln.syncs.start(tenantId, id, connectionId);
    expect(first).toMatchObject({ id });
    expect(again).toMatchObject({ id });
  });

  it('is cancelled when its connection is deleted: it commits no more pages, and its nodes are invisible', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(6));
    kiln.access.pageSize = 2;
    let deleted = false;
    kiln.access.onPage = async (page) => {
      if (!page.includes('002.txt')) return;
      await kiln.manage.remove({ id: encodeId('connection', connectionId) }, contextOf(tenantId));
      deleted = true;
    };
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.status, deleted]).toStrictEqual(['lost', 'cancelled', true]);
    // The nodes are hidden at once.
    expect(await kiln.paths(connectionId)).toStrictEqual([]);
    expect(await kiln.sql('select 1 from nodes where connection_id = $1', [connectionId])).toHaveLength(2);
    while (await kiln.purges.purgeBatch());
    const left = await kiln.sql(
      `select 'nodes' as place from nodes where connection_id = $1
       union all select 'syncs' from syncs where connection_id = $1
       union all select 'node_uploads' from node_uploads where connection_id = $1`,
      [connectionId],
    );
    expect(left).toStrictEqual([]);
    expect(await kiln.emitted()).toHaveLength(0);
  });
});
