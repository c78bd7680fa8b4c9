// Real: the SQL of this service on PostgreSQL in WebAssembly (PGlite) with pgvector; the thread that holds vectors.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { clusteredVectors } from '../../test/clustered-vectors.js';
import { describeVectors } from '../../test/contract/vectors.js';
import { PgVectorHarness } from '../../test/pgvector-harness.js';
import { MODEL } from '../../test/vector-harness.js';
import { MemoryVectorIndex } from '../memory/memory-vector-index.adapter.js';
import { openVectorIndex } from '../open-vector-index.adapter.js';
import { VectorFeed } from '../vector-feed.store.js';
import type { VectorIndex } from '../vector-index.port.js';
import { searchesOf } from './copied-vectors.statements.js';
import { placeOf } from './pgvector-copies.store.js';
import { PgVectorIndex } from './pgvector-index.adapter.js';
import { setScan } from './vector-copies.statements.js';

const DIMENSIONS = 64;
const LARGE = 1_000;

const unit = (place: number) => Array.from({ length: DIMENSIONS }, (_, at) => (at === place ? 1 : 0));

describe('vectors in PostgreSQL with pgvector', () => {
  let kiln: PgVectorHarness;
  let feed: VectorFeed;
  let index: VectorIndex;
  /** An index for which a tenant of a thousand vectors is large. */
  let large: PgVectorIndex;
  beforeAll(async () => {
    kiln = await PgVectorHarness.start();
    const { database, logger } = kiln;
    feed = new VectorFeed(database);
    index = await openVectorIndex({ database, feed, bytesMax: 1_000, openSearch: null, logger });
    large = new PgVectorIndex({ database, feed, meanwhile: index, exactMax: LARGE, logger });
  });
  afterAll(async () => {
    await index.close();
    await kiln.stop();
  });

  /** Writes clustered vectors in files of 100, and copies them. */
  async function writeMany(tenantId: string, { count, seed }: { count: number; seed: number }) {
    const { vectors } = clusteredVectors({ vectors: count, queries: 0, dimensions: DIMENSIONS, seed });
    for (let from = 0; from < count; from += 100) await kiln.write(tenantId, vectors.slice(from, from + 100));
    for (const set of await kiln.searchBy(large).setsOf(tenantId))
      expect(await large.writer.update(set)).toBe('current');
  }
  const placeIn = async (tenantId: string) => {
    const [set] = await kiln.searchBy(large).setsOf(tenantId);
    const copy = set && (await large.copies.find(set));
    if (!set || !copy) throw new Error('the set has no copy');
    return { copy, place: placeOf(set, copy) };
  };

  it('are used where the extension is installed', () => {
    expect(index).toBeInstanceOf(PgVectorIndex);
  });

  describe('as every index', () => {
    describeVectors(() => ({
      kiln,
      index: large,
      update: async (tenantId) => {
        for (const set of await kiln.searchBy(large).setsOf(tenantId))
          expect(await large.writer.update(set)).toBe('current');
      },
    }));
  });

  it('of a large set are found by a graph of their own, beside a small set', async () => {
    const tenants = [900, 1_500].map((count) => ({ tenantId: randomUUID(), count }));
    for (const { tenantId, count } of tenants) await writeMany(tenantId, { count, seed: count });
    for (const { tenantId, count } of tenants)
      expect((await placeIn(tenantId)).copy).toMatchObject({ isLarge: count > LARGE, isIndexed: count > LARGE });
    expect(await planInOrder(tenants[1]?.tenantId ?? '')).toMatch(/Index Scan using own_vectors_\d+_nearest/);
  });

  /** The plan with the settings of a search. */
  async function planInOrder(tenantId: string): Promise<string> {
    const { inGraph } = searchesOf((await placeIn(tenantId)).place);
    const values = [tenantId, MODEL, [], `[${Array.from({ length: DIMENSIONS }, () => 1).join(',')}]`, 10, []];
    const rows = await kiln.database.transaction(async (transaction) => {
      await transaction.query(setScan, [100, 100_000]);
      return transaction.query<{ 'QUERY PLAN': string }>({ name: '', text: `explain ${inGraph.text}` }, values);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('of sets with few vectors are in no graph', async () => {
    const { rows } = await kiln.pglite.query<{ table: string }>(
      `select tablename as table from pg_indexes where indexdef like '%hnsw%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { table } of rows) expect(table).toMatch(/^own_vectors_/);
  });

  it('are found exactly when a scan of the graph ends before it has found enough', async () => {
    const tenantId = randomUUID();
    // The filtered files are far from the query.
    const near = Array.from({ length: 1_100 }, (_, at) =>
      unit(0).map((value, place) => value + (place === 1 ? at / 1e5 : 0)),
    );
    await kiln.write(tenantId, near);
    const far = Array.from({ length: 6 }, (_, at) => unit(at + 2));
    await kiln.write(tenantId, far, { facets: ['far'] });
    const { database, logger } = kiln;
    const options = { database, feed, meanwhile: index, exactMax: 5, scannedMax: 1, logger };
    const hasty = new PgVectorIndex(options);
    for (const set of await kiln.searchBy(hasty).setsOf(tenantId)) await hasty.writer.update(set);
    const { hits } = await kiln.nearest(hasty, tenantId, unit(0), { facets: ['far'] });
    expect(hits).toHaveLength(6);
  });

  it('of more than 1,000 numbers are stored with two bytes each', async () => {
    const tenantId = randomUUID();
    const { vectors: all, queries } = clusteredVectors({ vectors: 60, queries: 5, dimensions: 1_536, seed: 3 });
    await kiln.write(tenantId, all);
    expect(await kiln.recall(index, tenantId, { all, queries })).toBeGreaterThanOrEqual(0.99);
    const { rows } = await kiln.pglite.query<{ type: string }>(
      `select format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = 'shared_vectors_1536'::regclass and attname = 'embedding'`,
    );
    expect(rows).toStrictEqual([{ type: 'halfvec(1536)' }]);
  });

  it('are found in memory while too many of them are missing in the copy', async () => {
    const tenantId = randomUUID();
    // Each file is at least one row of a batch of 64.
    for (let file = 0; file < 300; file++) await kiln.write(tenantId, [unit(file % DIMENSIONS)]);
    const { database, logger } = kiln;
    const meanwhile = new MemoryVectorIndex({ feed, bytesMax: 10_000_000, logger });
    const impatient = new PgVectorIndex({ database, feed, meanwhile, patienceMs: 0, logger });
    const [set] = await kiln.searchBy(impatient).setsOf(tenantId);
    if (!set) throw new Error('the tenant has no vectors');
    // Another process has the lease, and does nothing.
    await impatient.copies.claim(set, randomUUID());
    const { hits } = await kiln.nearest(impatient, tenantId, unit(0), { limit: 1 });
    expect(hits).toMatchObject([{ index: 0 }]);
    expect(meanwhile.bytes).toBeGreaterThan(0);
    await impatient.close();
  });
});
