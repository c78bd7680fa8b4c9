// Real: Postgres with 50,000 nodes of one tenant, and 50,000 of another that came after the last `analyze`. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kiln/platform';
import { allSentBy, planNodes, rowsExamined } from '@kiln/testing';
import type { ListedNode } from '../nodes/listed-nodes.domain.js';
import { startSyncs, type SyncsHarness } from '../test/syncs-harness.js';
import { rangeToEnd } from './domain/listing-range.js';
import { columnsOf } from '../nodes/node-columns.domain.js';
import { SyncPageStore } from './sync-page.store.js';
import { REMOVAL_START, UnlistedNodeStore } from './unlisted-node.store.js';

const KNOWN = '01938a10-0000-7000-8000-00000000000a';
const NEW = '01938a10-0000-7000-8000-00000000000b';
const NODES = 50_000;
/** Each third node is marked as not listed. */
const MARKED_SINCE = '2026-01-02';
const LEASE = { tenantId: NEW, id: NEW, fence: 1 };

const pathAt = (number: number) => `f/${String(number).padStart(6, '0')}`;

function fileAt(path: string): ListedNode {
  const file = { sizeBytes: 1, etag: 'e', contentType: null, lastModified: new Date(), archivedIn: null };
  return { path, name: path.slice(2), parent: 'f/', file };
}

/** The ids of the connection and the sync are that of the tenant. */
async function fill(kiln: SyncsHarness, tenantId: string): Promise<void> {
  await kiln.sql(`insert into connections (tenant_id, id, provider, name, bucket) values ($1, $1, 's3', 'a', 'a')`, [
    tenantId,
  ]);
  await kiln.sql(
    `insert into syncs (tenant_id, id, connection_id, status, fence, started_at) values ($1, $1, $1, 'syncing', 1, $2)`,
    [tenantId, MARKED_SINCE],
  );
  await kiln.sql(
    `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, unlisted_since, seen_at)
     select $1, $1, md5($1::uuid::text || s)::uuid, $1, true, lpad(s::text, 6, '0'), 'f/' || lpad(s::text, 6, '0'), 1, 'e',
       case when s % 3 = 0 then $2::timestamptz end, '2026-01-01' from generate_series(1, ${NODES}) s`,
    [tenantId, MARKED_SINCE],
  );
}

describe('the statements of a sync, for a tenant that came after the last analyze', () => {
  let kiln: SyncsHarness;
  beforeAll(async () => {
    kiln = await startSyncs();
    await kiln.sql('alter table nodes set (autovacuum_enabled = false)');
    await fill(kiln, KNOWN);
    await kiln.sql('analyze nodes');
    await fill(kiln, NEW);
  });
  afterAll(() => kiln.close());

  /** Rows that the statement read from the table of nodes, filtered ones included. */
  async function nodesRead(use: (recorder: Database) => Promise<unknown>): Promise<number> {
    const sent = (await allSentBy(use)).at(-1);
    const plan = planNodes(await kiln.sql(`explain (analyze, format json) ${sent?.text}`, sent?.values));
    return plan.filter((node) => node['Relation Name'] === 'nodes').reduce((sum, node) => sum + rowsExamined(node), 0);
  }

  /** The 1,000 files after a number. */
  const pageAfter = (number: number) => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => fileAt(pathAt(number + 1 + index)));
    return {
      nodes,
      columns: columnsOf(NEW, nodes, new Map()),
      excluded: new Map(),
      unstorable: [],
      position: pathAt(number + 1_000),
      nextCursor: 'more',
      skipped: 0,
      requestedAt: new Date(),
    };
  };
  const page = pageAfter(20_000);

  it('read the nodes of the page to commit it, each at most three times', async () => {
    const range = { number: null, range: rangeToEnd(null, null) };
    const read = await nodesRead((recorder) => new SyncPageStore(recorder).commit(LEASE, NEW, range, page, 1_000_000));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(3_000);
  });

  it('read the nodes of the range to compare it with its page, each at most twice', async () => {
    const about = { lease: LEASE, connectionId: NEW, byRange: false };
    const range = { after: pathAt(20_000), upTo: pathAt(21_000) };
    const read = await nodesRead((recorder) => new UnlistedNodeStore(recorder).compare(about, range, page, 10_000));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(2_000);
  });

  it('read the marked nodes of a batch to remove it, each at most three times', async () => {
    const read = await nodesRead((recorder) =>
      new UnlistedNodeStore(recorder).remove(LEASE, NEW, REMOVAL_START, 1_000),
    );
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(3_000);
  });

  it('read no node to commit a page of a range that has none', async () => {
    await kiln.sql('update syncs set connection_version = -1, nodes_before = 0 where tenant_id = $1', [NEW]);
    const range = { number: null, range: { ...rangeToEnd(null, null), position: pathAt(NODES) } };
    const read = await nodesRead((recorder) =>
      new SyncPageStore(recorder).commit(LEASE, NEW, range, pageAfter(NODES), 1_000_000),
    );
    expect(read).toBe(0);
    const added = await kiln.sql('select 1 from nodes where tenant_id = $1 and path > $2', [NEW, pathAt(NODES)]);
    expect(added).toHaveLength(1_000);
  });
});
