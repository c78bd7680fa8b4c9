// Real: the SQL of this service on PostgreSQL in WebAssembly (PGlite) with pgvector.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import { PgVectorHarness } from '../../test/pgvector-harness.js';
import { VectorFeed } from '../vector-feed.store.js';
import type { VectorIndex, VectorSet } from '../vector-index.port.js';
import { CopyLostError } from '../copies/vector-copies.port.js';
import { PgVectorIndex } from './pgvector-index.adapter.js';
import { VectorCopyRequests } from '../copies/vector-copy-requests.service.js';
import { VectorCopyWorker } from '../copies/vector-copy.worker.js';

const DIMENSIONS = 8;
const POLL_MS = 60_000;
const unit = (place: number) => Array.from({ length: DIMENSIONS }, (_, at) => (at === place ? 1 : 0));

describe('copies of vectors in pgvector', () => {
  let kiln: PgVectorHarness;
  let index: PgVectorIndex;
  let requests: VectorCopyRequests;
  let worker: VectorCopyWorker;
  let now = 0;
  const noMemory: VectorIndex = {
    search: () => Promise.reject(new Error('the copy must answer')),
    close: () => Promise.resolve(),
  };
  beforeAll(async () => {
    kiln = await PgVectorHarness.start();
    const { database, logger } = kiln;
    index = new PgVectorIndex({ database, feed: new VectorFeed(database), meanwhile: noMemory, exactMax: 20, logger });
    requests = new VectorCopyRequests();
    const setsOf = (tenantId: string) => kiln.searchBy(index).setsOf(tenantId);
    const quiet = createLogger({ service: 'search', role: 'all', level: 'fatal' });
    worker = new VectorCopyWorker(index, requests, setsOf, quiet, () => now);
  });
  afterAll(async () => {
    await index.close();
    await kiln.stop();
  });

  async function setOf(tenantId: string): Promise<VectorSet> {
    const [set] = await kiln.searchBy(index).setsOf(tenantId);
    if (!set) throw new Error('the tenant has no vectors');
    return set;
  }
  const found = async (tenantId: string, query = unit(0)) =>
    (await kiln.nearest(index, tenantId, query)).hits.map(({ fileId, fence }) => [fileId, fence]);
  const expireLease = (tenantId: string) =>
    kiln.pglite.query(`update pgvector_copies set lease_expires_at = now() - interval '1 s' where tenant_id = $1`, [
      tenantId,
    ]);

  it('are written by the worker when files are written, without a search', async () => {
    const tenantId = randomUUID();
    await kiln.write(tenantId, [unit(0)]);
    requests.request(tenantId);
    expect(await worker.round()).toBe(true);
    const set = await setOf(tenantId);
    expect((await index.copies.find(set))?.generation).toBe(set.generation);
  });

  it('are completed by the safety poll when the process that had the request has died', async () => {
    const tenantId = randomUUID();
    await kiln.write(tenantId, [unit(0)]);
    await index.writer.update(await setOf(tenantId));
    for (let file = 0; file < 3; file++) await kiln.write(tenantId, [unit(1)]);
    now += POLL_MS;
    expect(await worker.round()).toBe(true);
    expect(worker.lag).toMatchObject({ copies: 1, changes: 3 });
    await worker.round();
    now += POLL_MS;
    expect(await worker.round()).toBe(false);
    expect(worker.lag).toMatchObject({ copies: 0, changes: 0 });
  });

  it('that lack changes are completed by a scan of these: new, replaced and removed files', async () => {
    const tenantId = randomUUID();
    const kept = await kiln.write(tenantId, [unit(0)]);
    const replaced = await kiln.write(tenantId, [unit(0)]);
    const removed = await kiln.write(tenantId, [unit(0)]);
    await index.writer.update(await setOf(tenantId));
    // Another process has the lease, and does nothing.
    await expireLease(tenantId);
    expect(await index.copies.claim(await setOf(tenantId), randomUUID())).not.toBeNull();
    const added = await kiln.write(tenantId, [unit(0)]);
    await kiln.write(tenantId, [unit(1)], { fileId: replaced, fence: 2 });
    await kiln.write(tenantId, [], { fileId: removed, fence: 2 });
    const hits = await found(tenantId);
    expect(new Set(hits.slice(0, 2).map(([fileId]) => fileId))).toStrictEqual(new Set([kept, added]));
    expect(hits.slice(2)).toStrictEqual([[replaced, 2]]);
  });

  it('have one writer: a former one changes nothing after its lease', async () => {
    const tenantId = randomUUID();
    await kiln.write(tenantId, [unit(0)]);
    const set = await setOf(tenantId);
    const { copies } = index;
    const [former, next] = [randomUUID(), randomUUID()];
    const copy = await copies.claim(set, former);
    if (!copy) throw new Error('the copy has a writer');
    expect(await copies.claim(set, next)).toBeNull();
    expect(await index.writer.update(set)).toBe('elsewhere');
    await expireLease(tenantId);
    expect(await copies.claim(set, next)).not.toBeNull();
    const changes = { isReset: false, files: [], generation: 1 };
    await expect(copies.apply(set, copy, former, changes)).rejects.toBeInstanceOf(CopyLostError);
    await expect(copies.enlarge(set, copy, former)).rejects.toBeInstanceOf(CopyLostError);
    await expect(copies.index(set, copy, former)).rejects.toBeInstanceOf(CopyLostError);
    expect((await copies.find(set))?.generation).toBe(0);
  });

  it('move to a table and a graph of their own while they grow, and keep what they have', async () => {
    const tenantId = randomUUID();
    const first = await kiln.write(tenantId, [unit(0), unit(1)]);
    expect(await found(tenantId)).toStrictEqual([
      [first, 1],
      [first, 1],
    ]);
    await index.writer.update(await setOf(tenantId));
    for (let file = 0; file < 20; file++) await kiln.write(tenantId, [unit(2)]);
    await index.writer.update(await setOf(tenantId));
    expect(await index.copies.find(await setOf(tenantId))).toMatchObject({ isLarge: true, isIndexed: true });
    expect((await found(tenantId))[0]).toStrictEqual([first, 1]);
    expect(await rowsIn('shared_vectors_8', tenantId)).toBe(0);
  });

  it('are removed with the last vectors of their set, and with their own table', async () => {
    const tenantId = randomUUID();
    const files = [];
    for (let file = 0; file < 21; file++) files.push(await kiln.write(tenantId, [unit(0)]));
    await index.writer.update(await setOf(tenantId));
    const number = (await index.copies.find(await setOf(tenantId)))?.number;
    for (const fileId of files) await kiln.write(tenantId, [], { fileId, fence: 2 });
    requests.request(tenantId);
    await worker.round();
    const { rows } = await kiln.pglite.query<{ own: string | null; copies: number }>(
      `select to_regclass($1)::text as own, (select count(*)::int from pgvector_copies where tenant_id = $2) as copies`,
      [`own_vectors_${number}`, tenantId],
    );
    expect(rows).toStrictEqual([{ own: null, copies: 0 }]);
    // The next file begins a new copy.
    const fileId = await kiln.write(tenantId, [unit(0)]);
    expect(await found(tenantId)).toStrictEqual([[fileId, 1]]);
  });

  async function rowsIn(table: string, tenantId: string): Promise<number> {
    const { rows } = await kiln.pglite.query<{ count: number }>(
      `select count(*)::int as count from ${table} where tenant_id = $1`,
      [tenantId],
    );
    return rows[0]?.count ?? -1;
  }
});
