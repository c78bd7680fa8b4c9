// Real: Postgres with 200,000 nodes of one tenant, in two connections. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { allSentBy, planNodes, rowsExamined } from '@kiln/testing';
import { folderId, type ListedNode } from '../nodes/listed-nodes.domain.js';
import { NodeEntity } from '../nodes/node.entity.js';
import { RemovedNodeEntity } from '../nodes/removed-node.entity.js';
import { NodeStore } from '../nodes/node.store.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { rangeToEnd } from './domain/listing-range.js';
import { columnsOf } from '../nodes/node-columns.domain.js';
import { NodeCompareStore } from './node-compare.store.js';
import { NodeCountStore } from './node-count.store.js';
import { NodeSelectionStore, SELECTION_START } from './node-selection.store.js';
import { RemovedNodeStore } from './removed-node.store.js';
import { SyncPageStore } from './sync-page.store.js';
import { SyncEntity } from './sync.entity.js';
import { SyncStore } from './sync.store.js';
import { REMOVAL_START, UnlistedNodeStore } from './unlisted-node.store.js';

const TENANT = '01938a10-0000-7000-8000-00000000000a';
const LARGE = '01938a10-0000-7000-8000-0000000000aa';
const OTHER = '01938a10-0000-7000-8000-0000000000bb';
const SYNC = '01938a10-0000-7000-8000-0000000000cc';
const NODES = 100_000;
const FOLDER = folderId(LARGE, 'f5/');

function fileAt(path: string): ListedNode {
  const [folder = '', name = ''] = path.split('/');
  const file = { sizeBytes: 1, etag: 'e', contentType: null, lastModified: new Date(), archivedIn: null };
  return { path, name, parent: `${folder}/`, file };
}

/** Statements of a transaction are recorded too. The events that it appends are not, as the recorder stops before. */
const withTransactions = (recorder: Database): Database =>
  Object.assign(recorder, { transaction: (work: (transaction: unknown) => Promise<unknown>) => work(recorder) });

describe('statements on 200,000 nodes', () => {
  let kiln: SyncsHarness;
  beforeAll(async () => {
    kiln = await startSyncs();
    await kiln.sql(
      `insert into connections (tenant_id, id, provider, name, bucket) values ($1, $2, 's3', 'a', 'a'), ($1, $3, 's3', 'b', 'b')`,
      [TENANT, LARGE, OTHER],
    );
    for (const connection of [LARGE, OTHER]) {
      await kiln.sql(
        `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag)
         select $1, $2::uuid, md5($2::uuid::text || s)::uuid, case when s % 10 = 5 then $3::uuid else $2::uuid end, true, s || '.txt',
           'f' || s % 10 || '/' || lpad(s::text, 6, '0') || '.txt', 1, 'e' from generate_series(1, ${NODES}) s`,
        [TENANT, connection, FOLDER],
      );
    }
    await kiln.sql(
      `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path)
       select $1, $2, $3, $2, false, 'f5', 'f5/'`,
      [TENANT, LARGE, FOLDER],
    );
    await kiln.sql(
      `insert into syncs (tenant_id, id, connection_id, status, fence, started_at) values ($1, $2, $3, 'syncing', 1, now())`,
      [TENANT, SYNC, LARGE],
    );
    await kiln.sql('analyze');
  });
  afterAll(() => kiln.close());

  /** Rows that the last statement read from the table, filtered ones included. A count first reads the state of notifications. */
  async function rowsRead(use: (recorder: Database) => Promise<unknown>, table = 'nodes'): Promise<number> {
    const last = (await allSentBy((recorder) => use(withTransactions(recorder)))).at(-1);
    const nodes = planNodes(await kiln.sql(`explain (analyze, format json) ${last?.text}`, last?.values));
    return nodes.filter((node) => node['Relation Name'] === table).reduce((sum, node) => sum + rowsExamined(node), 0);
  }

  it('read only the rows of one page, for every filter', async () => {
    const queries: Parameters<NodeStore['list']>[0][] = [
      { tenantId: TENANT, limit: 51 },
      { tenantId: TENANT, isFile: true, limit: 51 },
      { tenantId: TENANT, connectionId: LARGE, limit: 51 },
      { tenantId: TENANT, connectionId: LARGE, isFile: true, limit: 51 },
      { tenantId: TENANT, connectionId: LARGE, isFile: false, limit: 51 },
      { tenantId: TENANT, parentId: FOLDER, limit: 51 },
      { tenantId: TENANT, parentId: FOLDER, isFile: true, limit: 51 },
    ];
    const after = { isFile: true, id: '80000000-0000-0000-0000-000000000000' };
    for (const query of [...queries, ...queries.map((first) => ({ ...first, after }))]) {
      const read = await rowsRead((recorder) => new NodeStore(recorder).list(query));
      expect(read).toBeLessThanOrEqual(51);
    }
    const files = await rowsRead((recorder) => new NodeStore(recorder).filesAfter(TENANT, LARGE, after.id, 200));
    expect(files).toBeGreaterThan(0);
    expect(files).toBeLessThanOrEqual(200);
  });

  it('commit a page and compare one by index', async () => {
    const nodes: ListedNode[] = Array.from({ length: 1_000 }, (_, index) => {
      return fileAt(`f5/${String(index * 10 + 5).padStart(6, '0')}.txt`);
    });
    const lease = { tenantId: TENANT, id: SYNC, fence: 1 };
    const unstorable = Array.from({ length: 20 }, (_, index) => `f6/${String(index * 10 + 6).padStart(6, '0')}.txt`);
    const page = {
      nodes,
      columns: columnsOf(LARGE, nodes, new Map()),
      excluded: new Map(),
      unstorable,
      position: 'f5/009995.txt',
      nextCursor: 'more',
      skipped: 0,
      requestedAt: new Date(),
    };
    const range = { number: null, range: rangeToEnd(null, null) };
    const committed = await rowsRead((recorder) => new SyncPageStore(recorder).commit(lease, LARGE, range, page, 1));
    expect(committed).toBeGreaterThan(0);
    expect(committed).toBeLessThanOrEqual(3_100);
    const [counts] = await kiln.sql('select synced_count, files_added, files_updated from syncs where id = $1', [SYNC]);
    expect(counts).toStrictEqual({ synced_count: 1_000, files_added: 0, files_updated: 0 });
    const compared = await rowsRead((recorder) =>
      new NodeCompareStore(recorder, kiln.database.dataSource.getRepository(NodeEntity)).compare(
        { tenant_id: TENANT, id: LARGE, on_change: 'reprocess' },
        nodes.map(({ path }) => ({ key: path, sizeBytes: 1, etag: 'e', lastModified: new Date() })),
        new Map(),
      ),
    );
    expect(compared).toBeGreaterThan(0);
    expect(compared).toBeLessThanOrEqual(1_000);
  });

  it('select nodes and find moved ones among a limited number at a time', async () => {
    const lease = { tenantId: TENANT, id: SYNC, fence: 1 };
    await kiln.sql('update connections set auto_process = true where id = $1', [LARGE]);
    await kiln.sql(
      `insert into removed_nodes (tenant_id, id, connection_id, path, etag, size_bytes, created_at)
       select $1, md5('removed' || s)::uuid, $2, 'gone/' || s, md5(s::text), 1, now() from generate_series(1, 50000) s`,
      [TENANT, LARGE],
    );
    await kiln.sql('analyze removed_nodes');
    const removed = kiln.database.dataSource.getRepository(RemovedNodeEntity);
    const moves = (recorder: Database) =>
      new RemovedNodeStore(recorder, removed).findMoves(
        lease,
        LARGE,
        { after: REMOVAL_START.id, since: new Date(0) },
        500,
      );
    const announced = (recorder: Database) => new RemovedNodeStore(recorder, removed).announce(lease, LARGE, 500);
    const reads = [
      await rowsRead((recorder) => new NodeSelectionStore(recorder).select(lease, LARGE, SELECTION_START, 500)),
      await rowsRead(moves),
      await rowsRead(announced, 'removed_nodes'),
    ];
    for (const read of reads) {
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(2_000);
    }
  });

  it('find the last completed sync without reading those before it', async () => {
    await kiln.sql(
      `insert into syncs (tenant_id, id, connection_id, status)
       select $1, ('00000000-0000-0000-0000-' || lpad(s::text, 12, '0'))::uuid, $2, case when s % 3 = 0 then 'completed' else 'failed' end
       from generate_series(1, 30000) s`,
      [TENANT, LARGE],
    );
    await kiln.sql('analyze syncs');
    const sync = await kiln.syncs.find(TENANT, SYNC);
    if (!sync) throw new Error('no sync');
    const syncs = kiln.database.dataSource.getRepository(SyncEntity);
    const read = await rowsRead((recorder) => new SyncStore(recorder, syncs).incompleteSince(sync), 'syncs');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(10);
  });

  it('mark the nodes of a range that a page does not contain by index', async () => {
    const about = { lease: { tenantId: TENANT, id: SYNC, fence: 1 }, connectionId: LARGE, byRange: false };
    const range = { after: 'f7/000007.txt', upTo: 'f7/010007.txt' };
    const nodes = Array.from({ length: 900 }, (_, at) => fileAt(`f7/${String(at * 10 + 17).padStart(6, '0')}.txt`));
    const listed = { nodes, excluded: new Map(), unstorable: [] };
    const read = await rowsRead((recorder) => new UnlistedNodeStore(recorder).compare(about, range, listed, 10_000));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(1_101);
    const [marked] = await kiln.sql('select count(*)::int as nodes from nodes where unlisted_since is not null');
    expect(marked).toStrictEqual({ nodes: 100 });
  });

  it('read no more nodes for the removal and the count than are marked', async () => {
    const lease = { tenantId: TENANT, id: SYNC, fence: 1 };
    const removed = await rowsRead((recorder) =>
      new UnlistedNodeStore(recorder).remove(lease, LARGE, REMOVAL_START, 10_000),
    );
    expect(removed).toBeLessThanOrEqual(300);
    const place = { tenantId: TENANT, connectionId: LARGE };
    const { signal } = new AbortController();
    const read = await rowsRead((recorder) =>
      new NodeCountStore(recorder).countUnlisted(place, { since: new Date() }, signal),
    );
    expect(read).toBeLessThanOrEqual(100);
    const counted = await rowsRead((recorder) => new NodeCountStore(recorder).countAll(place, signal));
    // With the path of the last one.
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(10_001);
  });

  it('read only the nodes that may be selected', async () => {
    const version = `coalesce(etag, '') || '/' || size_bytes::text`;
    await kiln.sql(`update nodes set selected_version = ${version} where connection_id = $1 and path < 'f9/'`, [LARGE]);
    await kiln.sql('update nodes set etag = $2 where connection_id = $1 and path like $3', [
      LARGE,
      'other',
      'f1/00001%',
    ]);
    await kiln.sql('analyze nodes');
    const lease = { tenantId: TENANT, id: SYNC, fence: 1 };
    const select = (recorder: Database) => new NodeSelectionStore(recorder).select(lease, LARGE, SELECTION_START, 500);
    const read = await rowsRead(select);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(1_500);
  });

  it('claim syncs without reading those that have ended', async () => {
    await kiln.sql(
      `insert into syncs (tenant_id, id, connection_id, status)
       select md5('tenant' || s % 100)::uuid, md5('sync' || s)::uuid, md5('connection' || s)::uuid,
         case when s <= 300 then 'pending' else 'completed' end from generate_series(1, 50000) s`,
    );
    await kiln.sql('analyze syncs');
    const syncs = kiln.database.dataSource.getRepository(SyncEntity);
    const claim = (recorder: Database) => new SyncStore(recorder, syncs).claim(4, 30, { held: new Map(), heldMax: 4 });
    const read = await rowsRead(claim, 'syncs');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(1_000);
  });
});
