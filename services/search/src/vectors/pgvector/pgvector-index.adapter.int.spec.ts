// Real: the SQL of this service on PostgreSQL in WebAssembly (PGlite) with pgvector, which the test servers lack; the thread that holds vectors.
import { PGlite, type Transaction as PgliteTransaction } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChunkLine } from '@kiln/contracts';
import type { Database, Statement, Transaction } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { clusteredVectors } from '../../test/clustered-vectors.js';
import { encodeVector, KnownVectors } from '../../test/known-vectors.js';
import { contextOf } from '../../test/search-harness.js';
import { openVectorIndex } from '../open-vector-index.adapter.js';
import { VectorFeed } from '../vector-feed.store.js';
import type { VectorIndex } from '../vector-index.port.js';
import { VectorSearch } from '../vector-search.service.js';
import { deleteVectors, insertVectors, recordFiles } from '../write-vectors.store.js';
import { PgVectorIndex } from './pgvector-index.adapter.js';

const DIMENSIONS = 64;
const NEIGHBOURS = 10;
const MODEL = 'small';

/** The part of Database that the service uses for vectors. */
class PgliteDatabase {
  constructor(private readonly pglite: PGlite | PgliteTransaction) {}

  async query<Row>({ text }: Statement, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pglite.query<Record<string, unknown>>(text, values);
    for (const row of rows) {
      for (const [name, value] of Object.entries(row)) if (value instanceof Uint8Array) row[name] = Buffer.from(value);
    }
    return rows as Row[];
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const pglite = this.pglite as PGlite;
    return pglite.transaction((transaction) => work(new PgliteDatabase(transaction) as unknown as Transaction));
  }
}

describe('vectors in PostgreSQL with pgvector', () => {
  let pglite: PGlite;
  let database: Database;
  let index: VectorIndex;
  /** An index for which a tenant of a thousand vectors is large. */
  let large: VectorIndex;
  const vectors = new KnownVectors();
  const logger = { info: () => {}, warn: () => {} };
  beforeAll(async () => {
    pglite = await PGlite.create({ extensions: { vector } });
    await pglite.exec('create extension vector');
    for (const Migration of migrations) {
      await new Migration().up({ query: (text: string) => pglite.exec(text) } as unknown as QueryRunner);
    }
    database = new PgliteDatabase(pglite) as unknown as Database;
    index = await openVectorIndex({ database, feed: new VectorFeed(database), bytesMax: 1_000, logger });
    large = new PgVectorIndex({ database, feed: new VectorFeed(database), meanwhile: index, exactMax: 1_000, logger });
  });
  afterAll(async () => {
    await index.close();
    await pglite.close();
  });

  /** Writes the vectors of a file as the service does, with the file's row, which shows its current run. */
  async function write(
    tenantId: string,
    some: readonly number[][],
    fence = 1,
    more: { fileId?: string; facets?: string[] } = {},
  ) {
    const { fileId = randomUUID(), facets = [] } = more;
    const embedding = { model: MODEL, dimensions: some[0]?.length ?? 0 };
    const chunks = some.map((vectorOf, place): ChunkLine => {
      const line = { index: place, text: '', start: 0, end: 0, page: null, heading_path: [] };
      return { ...line, vector: encodeVector(vectorOf) };
    });
    await database.transaction(async (transaction) => {
      await transaction.query(
        {
          name: '',
          text: `insert into files (tenant_id, file_id, job_number, fence, language) values ($1, $2, 1, $3, 'english')
                 on conflict (tenant_id, file_id) do update set fence = excluded.fence`,
        },
        [tenantId, fileId, fence],
      );
      await deleteVectors(transaction, tenantId, fileId);
      await insertVectors(transaction, tenantId, chunks.length === 0 ? [] : [{ fileId, embedding, chunks }]);
      const run = { jobNumber: 1, fence };
      const written = { fileId, run, embedding: chunks.length === 0 ? null : embedding, facets, chunks: chunks.length };
      await recordFiles(transaction, tenantId, [written]);
    });
    return fileId;
  }
  const nearest = async (
    tenantId: string,
    query: readonly number[],
    more: { facets?: string[]; of?: 'file' | 'chunk' } = {},
    inIndex = index,
  ) => {
    const text = randomUUID();
    vectors.set(text, query);
    const search = new VectorSearch({ database, index: inIndex, embedder: vectors, logger });
    return search.nearest(
      { text, facets: [], limit: NEIGHBOURS, of: 'chunk', scores: 'exact', ...more },
      contextOf(tenantId),
    );
  };
  const exactIn = (all: readonly number[][], query: readonly number[]) =>
    all
      .map((one) => one.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0))
      .sort((left, right) => right - left);
  async function recall(
    tenantId: string,
    all: readonly number[][],
    queries: readonly number[][],
    facets: string[] = [],
    inIndex = index,
  ) {
    let found = 0;
    for (const query of queries) {
      const worst = exactIn(all, query)[NEIGHBOURS - 1] ?? 0;
      const { hits } = await nearest(tenantId, query, { facets }, inIndex);
      found += hits.filter(({ score }) => score >= worst - 1e-6).length;
    }
    return found / (queries.length * NEIGHBOURS);
  }

  it('are used where the extension is installed', () => {
    expect(index).toBeInstanceOf(PgVectorIndex);
  });

  it('are found exactly in a small tenant, with and without a filter', async () => {
    const tenantId = randomUUID();
    const { vectors: all, queries } = clusteredVectors({
      vectors: 400,
      queries: 10,
      dimensions: DIMENSIONS,
      seed: 1,
    });
    for (let from = 0; from < all.length; from += 40) {
      await write(tenantId, all.slice(from, from + 40), 1, { facets: from < 120 ? ['rare'] : [] });
    }
    expect(await recall(tenantId, all, queries)).toBeGreaterThanOrEqual(0.99);
    expect(await recall(tenantId, all.slice(0, 120), queries, ['rare'])).toBeGreaterThanOrEqual(0.99);
    expect((await nearest(tenantId, queries[0] ?? [], { facets: ['rare'] })).files).toBe(3);
    expect((await nearest(tenantId, queries[0] ?? [], { facets: ['none'] })).hits).toStrictEqual([]);
  });

  it('are found by the HNSW index in a large one', async () => {
    const tenantId = randomUUID();
    const { vectors: all, queries } = clusteredVectors({
      vectors: 1_500,
      queries: 10,
      dimensions: DIMENSIONS,
      seed: 2,
    });
    for (let from = 0; from < all.length; from += 100) {
      await write(tenantId, all.slice(from, from + 100), 1, { facets: from < 1_400 ? ['most'] : [] });
    }
    expect(await recall(tenantId, all, queries, [], large)).toBeGreaterThanOrEqual(0.97);
    expect(await recall(tenantId, all.slice(0, 1_400), queries, ['most'], large)).toBeGreaterThanOrEqual(0.97);
    expect(await planInOrder(tenantId)).toMatch(/Index Scan using copied_vectors_64_nearest/);
    const { hits } = await nearest(tenantId, queries[0] ?? [], { of: 'file' }, large);
    expect(new Set(hits.map(({ fileId }) => fileId)).size).toBe(NEIGHBOURS);
  });

  /** The plan if Postgres may not sort. Whether it prefers this one depends on its statistics. */
  async function planInOrder(tenantId: string): Promise<string> {
    const { statementsOf, setScan } = await import('./pgvector.statements.js');
    const { nearest: statement } = statementsOf(DIMENSIONS);
    const values = [tenantId, MODEL, [], `[${Array.from({ length: DIMENSIONS }, () => 1).join(',')}]`, NEIGHBOURS];
    const rows = await database.transaction(async (transaction) => {
      await transaction.query(setScan, [100]);
      await transaction.query({ name: '', text: 'set local enable_sort = off' });
      return transaction.query<{ 'QUERY PLAN': string }>({ name: '', text: `explain ${statement.text}` }, values);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('follow replaced and removed files', async () => {
    const tenantId = randomUUID();
    const [x, y] = [unit(0), unit(1)];
    const fileId = await write(tenantId, [x, y]);
    const other = await write(tenantId, [y]);
    const found = async () => (await nearest(tenantId, x)).hits.map((hit) => [hit.fileId, hit.index, hit.fence]);
    expect(await found()).toHaveLength(3);
    await write(tenantId, [x], 2, { fileId });
    expect(await found()).toStrictEqual([
      [fileId, 0, 2],
      [other, 0, 1],
    ]);
    await write(tenantId, [], 3, { fileId });
    expect(await found()).toStrictEqual([[other, 0, 1]]);
  });

  it('of more than 1,000 numbers are stored with two bytes each', async () => {
    const tenantId = randomUUID();
    const { vectors: all, queries } = clusteredVectors({ vectors: 60, queries: 5, dimensions: 1_536, seed: 3 });
    await write(tenantId, all);
    expect(await recall(tenantId, all, queries)).toBeGreaterThanOrEqual(0.99);
    const { rows } = await pglite.query<{ type: string }>(
      `select format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = 'copied_vectors_1536'::regclass and attname = 'embedding'`,
    );
    expect(rows).toStrictEqual([{ type: 'halfvec(1536)' }]);
  });

  it('are found while they are still being copied', async () => {
    const tenantId = randomUUID();
    await write(tenantId, [unit(0), unit(1)]);
    const memory = await import('../memory/memory-vector-index.adapter.js');
    const feed = new VectorFeed(database);
    const meanwhile = new memory.MemoryVectorIndex({ feed, bytesMax: 10_000_000, logger });
    const impatient = new PgVectorIndex({ database, feed, meanwhile, patienceMs: 0, logger });
    vectors.set('at once', unit(0));
    const search = new VectorSearch({ database, index: impatient, embedder: vectors, logger });
    const query = { text: 'at once', facets: [], limit: 1, of: 'chunk' as const, scores: 'approximate' as const };
    expect((await search.nearest(query, contextOf(tenantId))).hits).toMatchObject([{ index: 0 }]);
    await impatient.close();
  });

  const unit = (place: number) => Array.from({ length: DIMENSIONS }, (_, at) => (at === place ? 1 : 0));
});
