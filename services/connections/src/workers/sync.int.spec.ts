// Real: Postgres, and the embedded object store as the bucket of a customer. A crash is played by a walk that ends between two pages.
import { encodeId } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}.txt`);

describe('a sync', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  before(async () => {
    kiln = await startSyncs();
  });
  afterEach(async () => {
    kiln.access.pageSize = 1_000;
    kiln.access.onPage = () => undefined;
    await kiln.sql('delete from outbox');
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  after(() => kiln.close());

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

  it('makes a node of each object, and folders of their prefixes, once however many pages name them', async () => {
    const { put, connectionId } = await connected();
    await put(['a.txt', 'docs/b.md', 'docs/deep/er/c.pdf', 'docs/deep/d.png', 'empty/', 'z.txt']);
    kiln.access.pageSize = 2;
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    assert.equal(outcome, 'completed');
    assert.deepEqual([row?.synced_count, ...(counts(row) ?? [])], [5, 5, 0, 0]);
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
    assert.deepEqual(await kiln.paths(connectionId), paths);
    const parents = await kiln.sql<{ path: string; parent: string | null }>(
      `select n.path, p.path as parent from nodes n left join nodes p on p.tenant_id = n.tenant_id and p.id = n.parent_id
       where n.connection_id = $1 order by n.path`,
      [connectionId],
    );
    assert.deepEqual(Object.fromEntries(parents.map(({ path, parent }) => [path, parent])), {
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

  it('counts an object with another ETag or size as an update, leaves the others as they were, and removes what is gone', async () => {
    const { objects, put, connectionId } = await connected();
    await put(['same.txt', 'changed.txt', 'gone/away.txt']);
    await kiln.sync(tenantId, connectionId);
    const idsOf = () =>
      kiln.sql<{ path: string; id: string }>('select path, id from nodes where connection_id = $1 order by path', [
        connectionId,
      ]);
    const earlier = await idsOf();
    await put(['changed.txt'], 'other bytes');
    await put(['new.txt']);
    await objects.delete('gone/away.txt');
    const { row } = await kiln.sync(tenantId, connectionId);
    assert.deepEqual(counts(row), [1, 1, 1]);
    assert.deepEqual(await kiln.paths(connectionId), ['changed.txt', 'new.txt', 'same.txt']);
    const kept = (await idsOf()).filter(({ path }) => path !== 'new.txt');
    assert.deepEqual(
      kept,
      earlier.filter(({ path }) => !path.startsWith('gone/')),
      'ids stay',
    );
    const [changed] = await kiln.sql<{ size_bytes: number }>(
      `select size_bytes from nodes where connection_id = $1 and path = 'changed.txt'`,
      [connectionId],
    );
    assert.equal(changed?.size_bytes, 'other bytes'.length);
    assert.deepEqual(counts((await kiln.sync(tenantId, connectionId)).row), [0, 0, 0]);
  });

  it('meets only what lies under the prefix of its connection, and the tree begins there', async () => {
    const { put, connectionId } = await connected('docs/re');
    await put(['docs/other.txt', 'docs/report.txt', 'docs/reports/a.txt', 'x.txt']);
    await kiln.sync(tenantId, connectionId);
    assert.deepEqual(await kiln.paths(connectionId), ['docs/report.txt', 'docs/reports/', 'docs/reports/a.txt']);
    const top = await kiln.readNodes.list(
      { connection_id: encodeId('connection', connectionId), parent_id: 'root', limit: 50 },
      contextOf(tenantId),
    );
    assert.deepEqual(
      top.nodes.map(({ type, name }) => [type, name]),
      [
        ['folder', 'reports'],
        ['file', 'report.txt'],
      ],
    );
  });

  it('that is cut off goes on after the last page that was committed, and lists nothing of it again', async () => {
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
    assert.equal(await kiln.runSync.execute(first, dying.signal), 'released');
    assert.deepEqual(await kiln.paths(connectionId), keys.slice(0, 20), 'the page at hand is still committed');
    const second = await kiln.claimOne();
    assert.deepEqual([second.id, second.fence, second.position], [first.id, 2, keys[19]]);
    assert.equal(await kiln.runSync.execute(second, new AbortController().signal), 'completed');
    assert.deepEqual(listed.flat(), keys, 'each key once');
    const row = await kiln.syncs.find(tenantId, first.id);
    assert.deepEqual([row?.synced_count, ...(counts(row) ?? [])], [25, 25, 0, 0]);
  });

  it('whose worker lost its lease commits no page, removes nothing and does not end the sync', async () => {
    const { objects, put, connectionId } = await connected();
    await put(numbered(5));
    await kiln.sync(tenantId, connectionId);
    await objects.delete('000.txt');
    await kiln.begin(tenantId, connectionId);
    const slow = await kiln.claimOne();
    await kiln.leasesEnd();
    const next = await kiln.claimOne();
    await put(['new.txt']);
    assert.equal(await kiln.runSync.execute(slow, new AbortController().signal), 'lost');
    assert.deepEqual(await kiln.paths(connectionId), numbered(5));
    assert.equal(await kiln.runSync.execute({ ...slow, listed: true }, new AbortController().signal), 'lost');
    assert.deepEqual(await kiln.paths(connectionId), numbered(5));
    assert.equal((await kiln.syncs.find(tenantId, slow.id))?.status, 'syncing');
    assert.equal(await kiln.runSync.execute(next, new AbortController().signal), 'completed');
    assert.deepEqual(await kiln.paths(connectionId), [...numbered(5).slice(1), 'new.txt']);
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
      assert.ok((await kiln.paths(connectionId)).includes('000.txt'));
    };
    const { row } = await kiln.sync(tenantId, connectionId);
    assert.equal(pages, 3);
    assert.deepEqual(counts(row), [0, 0, 1]);
    assert.ok(!(await kiln.paths(connectionId)).includes('000.txt'));
  });

  it('says connection.synced or connection.sync.failed with the commit that ends it, and the connection follows', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(3));
    const { row } = await kiln.sync(tenantId, connectionId);
    assert.ok(row);
    const ids = { connection_id: encodeId('connection', connectionId), sync_id: encodeId('sync', row.id) };
    assert.deepEqual(await kiln.emitted(), [
      { type: 'connection.synced', data: { ...ids, files_added: 3, files_updated: 0, files_deleted: 0 } },
    ]);
    assert.equal((await kiln.connections.find(tenantId, connectionId))?.status, 'active');

    await kiln.sql('delete from outbox');
    await kiln.sql(`update connections set bucket = 'no-such-bucket' where id = $1`, [connectionId]);
    const failed = await kiln.sync(tenantId, connectionId);
    assert.equal(failed.outcome, 'failed');
    const [event] = await kiln.emitted();
    assert.ok(event);
    assert.equal(event.type, 'connection.sync.failed');
    assert.equal((event.data['error'] as { code: string }).code, 'bucket_not_found');
    assert.equal((await kiln.connections.find(tenantId, connectionId))?.status, 'error');
    assert.deepEqual(await kiln.paths(connectionId), numbered(3), 'what was found stays');
  });

  it('is tried again while the store is away, and fails in the end with its reason', async () => {
    const { connectionId } = await connected();
    const unreachable = { provider: 'selfhost_s3' as const, name: 'n', bucket: 'bucket-x' };
    const credentials = { access_key_id: 'a', secret_access_key: 'b', endpoint: 'http://127.0.0.1:9' };
    const away = await kiln.connect(tenantId, { ...unreachable, credentials });
    assert.notEqual(away, connectionId);
    const { id } = await kiln.begin(tenantId, away);
    const outcomes: string[] = [];
    while (!outcomes.includes('failed')) {
      await kiln.leasesEnd();
      outcomes.push(await kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal));
      assert.ok(outcomes.length <= 8);
    }
    assert.deepEqual(outcomes, [...Array<string>(7).fill('postponed'), 'failed']);
    const row = await kiln.syncs.find(tenantId, id);
    assert.equal(row?.error_code, 'unreachable');
    assert.equal((await kiln.emitted()).length, 1);
  });

  it('is one at a time for a connection: a second is 409, one of another connection is not', async () => {
    const { connectionId, connection } = await connected();
    const other = await kiln.connect(tenantId, connection);
    await kiln.begin(tenantId, connectionId);
    await assert.rejects(kiln.startSync(tenantId, connectionId), { code: 'CONFLICT' });
    await kiln.begin(tenantId, other);
    await assert.rejects(kiln.startSync(uuidv7(), connectionId), { code: 'NOT_FOUND' });
  });

  it('is waited for by who starts it, and answered as syncing when it takes longer than that', async () => {
    const { put, connectionId } = await connected();
    await put(numbered(3));
    const { ended, stop } = kiln.newWorker();
    try {
      const done = await kiln.startSync(tenantId, connectionId);
      assert.deepEqual([done.status, done.synced_count, done.files_added], ['completed', 3, 3]);
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      kiln.access.onPage = () => held;
      const running = await kiln.startSync(tenantId, connectionId, 1_500);
      assert.equal(running.status, 'syncing');
      goOn();
      await eventually(() => ended.length === 2);
      assert.deepEqual(ended, ['completed', 'completed']);
    } finally {
      await stop();
    }
  });

  it('asked for twice with one id is one sync', async () => {
    const { connectionId } = await connected();
    const id = uuidv7();
    const first = await kiln.syncs.start(tenantId, id, connectionId);
    const again = await kiln.syncs.start(tenantId, id, connectionId);
    assert.ok(first && first !== 'busy' && again && again !== 'busy');
    assert.equal(again.id, first.id);
  });

  it('ends as cancelled when its connection is deleted, commits no page any more, and its nodes are seen by nobody', async () => {
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
    assert.deepEqual([outcome, row?.status, deleted], ['lost', 'cancelled', true]);
    assert.deepEqual(await kiln.paths(connectionId), [], 'hidden at once');
    assert.equal((await kiln.sql('select 1 from node_rows where connection_id = $1', [connectionId])).length, 2);
    while (await kiln.purges.purgeSome());
    for (const table of ['node_rows', 'syncs', 'node_uploads']) {
      assert.equal(
        (await kiln.sql(`select 1 from ${table} where connection_id = $1`, [connectionId])).length,
        0,
        table,
      );
    }
    assert.equal((await kiln.emitted()).length, 0);
  });
});
