// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { createLogger, statement } from '@kiln/platform';
import { FileRemovalStore } from '../deletion/file-removal.store.js';
import { RefusedRunStore } from '../cancellation/refused-run.store.js';
import { RemovalWorker } from '../deletion/removal.worker.js';
import { RequestRemoval } from '../deletion/request-removal.usecase.js';
import { rankExhaustively, type KnownFile, type KnownFilter } from '../test/exhaustive-ranking.js';
import { randomNumbers } from '../test/random-numbers.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

describe('the ranking', () => {
  let kiln: SearchHarness;
  let removalWorker: RemovalWorker;
  let requestRemoval: RequestRemoval;
  beforeAll(async () => {
    kiln = await startSearch();
    // All texts are checked: the model knows no bounds.
    for (const bound of Object.keys(kiln.searches.checkBounds))
      Object.assign(kiln.searches.checkBounds, { [bound]: 1_000_000 });
    kiln.searches.checkBounds.passagesPerStatement = 100;
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    const removals = new FileRemovalStore(kiln.database);
    removalWorker = new RemovalWorker(removals, new RefusedRunStore(kiln.database), logger);
    requestRemoval = new RequestRemoval(removals, removalWorker);
  });
  afterAll(() => kiln.close());

  for (const seed of [3, 7, 4_711]) {
    it(`equals exhaustive BM25 through additions, replacements, deletions, merges and purges (seed ${seed})`, async () => {
      const collection = new RandomCollection(seed, kiln, requestRemoval, removalWorker);
      for (let round = 0; round < 80; round++) {
        await collection.change();
        await collection.compare();
      }
      const { purges, partly, withClauses, foundPhrases } = collection.counts();
      expect(purges).toBeGreaterThan(0);
      expect(partly).toBeGreaterThan(0);
      expect(withClauses).toBeGreaterThan(50);
      expect(foundPhrases).toBeGreaterThan(20);
    });
  }
});

/** Changes the files of one tenant at random, and records what a search must find. */
class RandomCollection {
  purges = 0;
  removed = 0;
  partly = 0;
  withClauses = 0;
  foundPhrases = 0;
  private readonly tenantId = randomUUID();
  private readonly files = new Map<string, KnownFile>();
  private ghosts: KnownFile[] = [];
  private readonly random: (below: number) => number;
  /** Separate, so that the same files are written whatever is searched. */
  private readonly randomClause: (below: number) => number;
  private jobs = 0;

  constructor(
    seed: number,
    private readonly kiln: SearchHarness,
    private readonly requestRemoval: RequestRemoval,
    private readonly removalWorker: RemovalWorker,
  ) {
    this.random = randomNumbers(seed);
    this.randomClause = randomNumbers(seed + 1);
  }

  counts() {
    return {
      files: this.files.size,
      ghosts: this.ghosts.length,
      purges: this.purges,
      removed: this.removed,
      partly: this.partly,
      withClauses: this.withClauses,
      foundPhrases: this.foundPhrases,
    };
  }

  async change(): Promise<void> {
    const action = this.random(12);
    if (action < 4 || this.files.size < 4) for (let n = 0; n < 4; n++) await this.write(this.newFile());
    else if (action < 6) await this.write(this.someFile());
    else if (action < 9) for (let n = 0; n < 3; n++) await this.remove(this.someFile());
    else await this.maintain(action === 9 ? 'all' : 'one merge');
  }

  /** Ids are derived from the seed too, because the order of merges depends on them. */
  private newFile(): string {
    const digits = Array.from({ length: 32 }, () => this.random(16).toString(16)).join('');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  private someFile(): string {
    return [...this.files.keys()][this.random(this.files.size)] ?? '';
  }

  /** Chooses words by a Zipf-like distribution: some are in most texts, some in one. */
  private text(wordsMax: number): string {
    const word = () => `w${Math.floor(60 ** (this.random(1_000) / 1_000)) + this.random(4)}`;
    return Array.from({ length: this.random(wordsMax) }, word).join(' ');
  }

  /** Up to two phrases and exclusions. Half of the phrases are in a text. */
  private clauses(): string {
    const random = this.randomClause;
    const word = () => `w${random(60)}`;
    const file = [...this.files.values()][random(this.files.size)];
    const words = file?.chunks[random(file.chunks.length)]?.split(' ') ?? [];
    const start = random(Math.max(words.length - 1, 1));
    const pair = () => (random(2) === 0 && words.length > 2 ? words.slice(start, start + 2).join(' ') : `${word()} w2`);
    const kinds = ['', ` -${word()}`, ` "${pair()}"`, ` -"${pair()}"`, ` "${word()}"`, ` "${pair()}" -${word()}`];
    return kinds[random(kinds.length)] ?? '';
  }

  private async write(fileId: string): Promise<void> {
    await this.keepGhost(fileId);
    const file: KnownFile = {
      fileId,
      title: this.random(3) === 0 ? null : this.text(5),
      filename: `${this.text(3)}.txt`,
      space: `s${this.random(3)}`,
      contentType: this.random(4) === 0 ? null : `text/t${this.random(2)}`,
      metadata: { owner: `o${this.random(3)}`, ...(this.random(2) === 0 ? { year: `${this.random(4)}` } : {}) },
      // Some files need more than one transaction to merge.
      chunks: Array.from({ length: this.random(10) === 0 ? 1_100 : this.random(6) }, () => this.text(30)),
    };
    await this.kiln.index({ tenantId: this.tenantId, jobNumber: ++this.jobs, ...file });
    this.files.set(fileId, file);
  }

  private async remove(fileId: string): Promise<void> {
    await this.keepGhost(fileId);
    this.files.delete(fileId);
    const request = { afterCommit: () => undefined };
    await this.kiln.database.transaction((transaction) =>
      this.requestRemoval.execute({ transaction, ...request }, this.tenantId, fileId),
    );
    while (await this.removalWorker.round());
  }

  /** The merged part of a removed version counts in the statistics until a purge. */
  private async keepGhost(fileId: string): Promise<void> {
    const file = this.files.get(fileId);
    if (!file) return;
    this.removed++;
    const [tail] = await this.kiln.database.query<{ part: number | null }>(firstPart, [this.tenantId, fileId]);
    if (tail?.part === 0) return;
    const merged = tail?.part == null ? file.chunks.length : tail.part * CHUNKS_PER_PART;
    this.partly += merged < file.chunks.length ? 1 : 0;
    this.ghosts.push({ ...file, chunks: file.chunks.slice(0, merged) });
  }

  /** Completes a purge: statistics in the middle of one equal those of no set of files. */
  private async maintain(how: 'one merge' | 'all'): Promise<void> {
    if (how === 'one merge') {
      await this.kiln.merges.mergeTail(this.tenantId, 1);
      const [row] = await this.kiln.database.query<{ file_id: string }>(partialFile, [this.tenantId]);
      // A partially merged file is the most error-prone case.
      if (row && this.random(2) === 0)
        await (this.random(2) === 0 ? this.write(row.file_id) : this.remove(row.file_id));
      return;
    }
    await this.kiln.merge(this.tenantId);
    const [row] = await this.kiln.database.query<{ removed: number }>(stillRemoved, [this.tenantId]);
    if (row?.removed !== 0) return;
    this.purges += this.ghosts.length > 0 ? 1 : 0;
    this.ghosts = [];
  }

  async compare(): Promise<void> {
    const filters: KnownFilter[] = [
      {},
      { space: `s${this.random(3)}` },
      { content_type: 'text/t1', metadata: { owner: `o${this.random(3)}` } },
      { space: 's1', metadata: { owner: 'o1', year: `${this.random(4)}` } },
    ];
    for (const filter of filters) {
      const clauses = this.clauses();
      const query = `${this.text(12)} w${this.random(60)}${clauses}`;
      const { scoreMax, ranked } = rankExhaustively([...this.files.values()], this.ghosts, query, filter);
      const answer = await this.kiln.search(this.tenantId, query, { ...filter, limit: 10 });
      this.withClauses += clauses === '' ? 0 : 1;
      this.foundPhrases += / "\S+ /.test(clauses) ? ranked.length : 0;
      const scores = new Map(ranked.map(({ fileId, score }) => [fileId, score / scoreMax]));
      try {
        expect(answer.total).toBe(ranked.length);
        expect(answer.results).toHaveLength(Math.min(10, ranked.length));
        for (const [place, { file_id, score }] of answer.results.entries()) {
          // Files with equal scores may come in any order, so compare the score at each position.
          expect(score).toBeCloseTo((ranked[place]?.score ?? 0) / scoreMax, 9);
          expect(score).toBeCloseTo(scores.get(uuidOf('file', file_id)) ?? -1, 9);
        }
      } catch (error) {
        const state = JSON.stringify({ query, filter, ...this.counts() });
        throw new Error(`wrong results: ${state}`, { cause: error });
      }
    }
  }
}

const CHUNKS_PER_PART = 500;
const firstPart = statement(
  'test.first_part',
  'select min(part) as part from index_tail where tenant_id = $1 and file_id = $2',
);
const partialFile = statement(
  'test.partial_file',
  `select t.file_id from tenant_index i join index_tail t on t.tenant_id = $1 and t.file_id = i.partial_file_id
    where i.tenant_id = $1 limit 1`,
);
const stillRemoved = statement(
  'test.still_removed',
  `select coalesce((select removed_chunks + removed_titles from tenant_index where tenant_id = $1), 0)
          + (select count(*) from removed_range where tenant_id = $1) as removed`,
);
