// Real: Postgres. Faked: nothing. The bounds are lowered, so that a small tenant exceeds them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { statement, type Queryable, type Statement } from '@kiln/platform';
import { randomNumbers } from '@kiln/testing/seed';
import { randomUUID } from 'node:crypto';
import type { IndexRange } from './domain/index-reader.js';
import { BLOCK_BYTES, memoryOf, PostingsMemory } from '../text-index/postings-memory.domain.js';
import { RankStore } from '../text-index/rank.store.js';
import type { RemoteIndex } from '../text-index/remote-index.port.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const FILES = 12;
const CHUNKS = 1_000;
const WORDS = 250;
const RANGE_BYTES = 100_000;
/** A range can exceed the bound by two blocks of each term. */
const EXCESS_BYTES = 2 * WORDS * BLOCK_BYTES;

const LETTERS = 'bcdfghjklmnpqrtv';
/** A word that no stemmer changes. */
const wordOf = (n: number) => `zo${LETTERS.charAt(n / 16)}a${LETTERS.charAt(n % 16)}o`;

const READS = new Set(['search.read_index', 'search.read_further']);
const storedBytes = statement(
  'test.stored_bytes',
  `select sum(octet_length(data))::int as bytes, count(*)::int as blocks from posting_blocks where tenant_id = $1 and term = any($2)`,
);

/** What the statements that read postings have read. */
class Reads {
  readonly bytes: number[] = [];
  blocks = 0;
  running = 0;
  runningMax = 0;

  watch<Target extends Queryable>(target: Target): Target {
    const query = target.query.bind(target);
    target.query = async <Row extends object>(given: Statement, values?: unknown[]) => {
      if (!READS.has(given.name)) return query<Row>(given, values);
      this.runningMax = Math.max(this.runningMax, ++this.running);
      const rows = await query<Row>(given, values);
      this.running--;
      for (const { postings, positions } of rows as unknown as IndexRange[]) {
        this.bytes.push(postings?.length ?? 0);
        this.blocks += positions?.length ?? 0;
      }
      return rows;
    };
    return target;
  }
}

describe('a search of many common words', () => {
  let kiln: SearchHarness;
  let reads = new Reads();
  const tenantId = randomUUID();
  const query = Array.from({ length: WORDS }, (_, n) => wordOf(n)).join(' ');
  const rank = (store: RankStore) => store.rank(tenantId, query, [], { limit: 20 });

  beforeAll(async () => {
    kiln = await startSearch();
    const random = randomNumbers(11);
    const text = () => Array.from({ length: 40 }, () => wordOf(random(WORDS))).join(' ');
    for (let file = 0; file < FILES; file++) {
      await kiln.index({ tenantId, chunks: Array.from({ length: CHUNKS }, text) });
    }
    await kiln.merge(tenantId);
    const { database } = kiln;
    const transaction = database.transaction.bind(database);
    const query = database.query.bind(database);
    database.query = (given: Statement, values?: unknown[]) => reads.watch({ query }).query(given, values);
    database.transaction = (work, options) => transaction((within) => work(reads.watch(within)), options);
  });
  afterEach(() => void (reads = new Reads()));
  afterAll(() => kiln.close());

  it('reads each block once, a bounded part at a time, and finds the same', async () => {
    const whole = await rank(kiln.searches);
    const [bytesInOne = 0] = reads.bytes;
    reads = new Reads();
    kiln.searches.scans.rangeBytes = RANGE_BYTES;
    const inRanges = await rank(kiln.searches);
    const terms = Array.from({ length: WORDS }, (_, n) => wordOf(n));
    const [stored] = await kiln.database.query<{ bytes: number; blocks: number }>(storedBytes, [tenantId, terms]);
    expect(bytesInOne).toBeGreaterThan(RANGE_BYTES + EXCESS_BYTES);
    expect(Math.max(...reads.bytes)).toBeLessThan(RANGE_BYTES + EXCESS_BYTES);
    expect(reads.blocks).toBe(stored?.blocks);
    expect(inRanges).toStrictEqual(whole);
  });

  it('waits until the searches before it leave enough of the memory of the process', async () => {
    const store = new RankStore(kiln.database, new PostingsMemory(2 * memoryOf(RANGE_BYTES, WORDS)));
    store.scans.rangeBytes = RANGE_BYTES;
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => rank(store)));
    // One tenant alone gets half.
    expect(reads.runningMax).toBe(1);
    for (const other of others) expect(other).toStrictEqual(first);
  });
});

describe('a search for a phrase', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  it('leaves out files that the remote index has in a former version each time, and reads no text again', async () => {
    const tenantId = randomUUID();
    for (const given of [addTenant, addFile]) await kiln.database.query(given, [tenantId]);
    const version = { fileId: randomUUID(), jobNumber: 1, fence: 1 };
    const file = {
      version,
      score: 1,
      chunks: [{ place: 1, score: 1 }],
      undecided: { places: [[1]], truncated: false },
    };
    const remote: RemoteIndex = {
      frequencies: async (_tenantId, terms) => terms.map(() => 1),
      rank: async () => ({ files: [file], total: 1 }),
      match: async () => [],
    };
    let texts = 0;
    const count = (queryable: Queryable): Queryable => ({
      query: async <Row extends object>(given: Statement, values?: unknown[]) => {
        if (given.name === 'search.read_passages' && ++texts > 20) throw new Error('reads the same text again');
        return queryable.query<Row>(given, values);
      },
    });
    const database = Object.create(kiln.database) as typeof kiln.database;
    Object.assign(database, count(kiln.database));
    database.transaction = (work, options) =>
      kiln.database.transaction(
        (within) => work(Object.assign(within, count({ query: within.query.bind(within) }))),
        options,
      );
    const store = new RankStore(database, new PostingsMemory(1_000_000_000), remote);
    expect(await store.rank(tenantId, '"red fox"', [], { limit: 20 })).toMatchObject({ files: [], total: 0 });
  });
});

const addTenant = statement(
  'test.add_remote_tenant',
  'insert into opensearch_tenants (tenant_id, files, chunks, chunk_length, titles, title_length) values ($1, 1, 1, 2, 1, 2)',
);
const addFile = statement(
  'test.add_remote_file',
  'insert into opensearch_files (tenant_id, file_id, revision, served) values ($1, gen_random_uuid(), 1, true)',
);
