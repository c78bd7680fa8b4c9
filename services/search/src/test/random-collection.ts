// The files of one tenant, which change at random. After each change, searches are compared with an exhaustive ranking.
import { expect } from '@jest/globals';
import { unpackIds, uuidOf, type TextLanguage } from '@kiln/contracts';
import { statement } from '@kiln/platform';
import { randomNumbers } from '@kiln/testing/seed';
import { randomUUID } from 'node:crypto';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { matchExhaustively, rankExhaustively, type KnownFile, type KnownFilter } from './exhaustive-ranking.js';
import type { SearchHarness } from './search-harness.js';

const LANGUAGES: readonly TextLanguage[] = ['english', 'english', 'german', 'none'];
const ENDINGS = ['', 's', 'ing', 'en', 'ungen', 'ed'];

/** Words with several forms, which English and German stem differently. Two of them are stop words in one language only. */
function wordOf(n: number): string {
  if (n === 6) return 'die';
  if (n === 9) return 'not';
  return `${'bdfgklmnprst'.charAt(n / ENDINGS.length)}ork${ENDINGS[n % ENDINGS.length]}`;
}

/** Changes the files of one tenant at random, and records what a search must find. */
export class RandomCollection {
  /** To how many digits scores are compared. */
  protected readonly digits: number = 9;
  purges = 0;
  removed = 0;
  /** Files that were removed during a purge. */
  duringPurges = 0;
  partly = 0;
  withClauses = 0;
  foundPhrases = 0;
  /** Files that contain all words of a text. */
  matches = 0;
  /** Searches whose results have several languages. */
  inSeveralLanguages = 0;
  protected readonly tenantId = randomUUID();
  protected readonly files = new Map<string, KnownFile>();
  private readonly removedIds: string[] = [];
  protected readonly languages = new Set<TextLanguage>();
  protected ghosts: KnownFile[] = [];
  protected readonly random: (below: number) => number;
  /** A separate sequence, so that the searches do not affect which files are written. */
  private readonly randomClause: (below: number) => number;
  private jobs = 0;

  constructor(
    seed: number,
    protected readonly kiln: SearchHarness,
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
      duringPurges: this.duringPurges,
      partly: this.partly,
      withClauses: this.withClauses,
      foundPhrases: this.foundPhrases,
      matches: this.matches,
      inSeveralLanguages: this.inSeveralLanguages,
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

  protected someFile(): string {
    return [...this.files.keys()][this.random(this.files.size)] ?? '';
  }

  /** Chooses words by a Zipf-like distribution: some are in most texts, some in one. */
  private text(wordsMax: number): string {
    const word = () => wordOf(Math.floor(60 ** (this.random(1_000) / 1_000)) + this.random(4));
    return Array.from({ length: this.random(wordsMax) }, word).join(' ');
  }

  /** Up to two phrases and exclusions. Half of the phrases are in a text. */
  private clauses(): string {
    const random = this.randomClause;
    const word = () => wordOf(random(60));
    const file = [...this.files.values()][random(this.files.size)];
    const words = file?.chunks[random(file.chunks.length)]?.split(' ') ?? [];
    const start = random(Math.max(words.length - 1, 1));
    const pair = () =>
      random(2) === 0 && words.length > 2 ? words.slice(start, start + 2).join(' ') : `${word()} ${wordOf(2)}`;
    const kinds = ['', ` -${word()}`, ` "${pair()}"`, ` -"${pair()}"`, ` "${word()}"`, ` "${pair()}" -${word()}`];
    return kinds[random(kinds.length)] ?? '';
  }

  protected async write(fileId: string): Promise<void> {
    await this.keepGhost(fileId);
    const file: KnownFile = {
      fileId,
      title: this.random(3) === 0 ? null : this.text(5),
      filename: `${this.text(3)}.txt`,
      space: `s${this.random(3)}`,
      contentType: this.random(4) === 0 ? null : `text/t${this.random(2)}`,
      metadata: { owner: `o${this.random(3)}`, ...(this.random(2) === 0 ? { year: `${this.random(4)}` } : {}) },
      language: LANGUAGES[this.random(LANGUAGES.length)] ?? 'english',
      // Some files need more than one transaction to merge.
      chunks: Array.from({ length: this.random(10) === 0 ? 1_100 : this.random(6) }, () => this.text(30)),
    };
    await this.kiln.index({ tenantId: this.tenantId, jobNumber: ++this.jobs, ...file });
    this.files.set(fileId, file);
    this.languages.add(file.language);
  }

  protected async remove(fileId: string): Promise<void> {
    await this.keepGhost(fileId);
    this.files.delete(fileId);
    this.removedIds.push(fileId);
    await this.kiln.remove(this.tenantId, fileId);
  }

  /** The merged part of a removed version counts in the statistics until a purge. */
  protected async keepGhost(fileId: string): Promise<void> {
    const file = this.files.get(fileId);
    if (!file) return;
    this.removed++;
    const [tail] = await this.kiln.database.query<{ part: number | null }>(firstPart, [this.tenantId, fileId]);
    if (tail?.part === 0) return;
    const merged = tail?.part == null ? file.chunks.length : tail.part * CHUNKS_PER_PART;
    this.partly += merged < file.chunks.length ? 1 : 0;
    this.ghosts.push({ ...file, chunks: file.chunks.slice(0, merged) });
  }

  /** Completes a purge: statistics in the middle of a purge equal those of no set of files. */
  protected async maintain(how: 'one merge' | 'all'): Promise<void> {
    if (how === 'one merge') {
      await this.kiln.merges.mergeTail(this.tenantId, 1);
      const [row] = await this.kiln.database.query<{ file_id: string }>(partialFile, [this.tenantId]);
      // A partially merged file is the most error-prone case.
      if (row && this.random(2) === 0)
        await (this.random(2) === 0 ? this.write(row.file_id) : this.remove(row.file_id));
      return;
    }
    const purged = await this.maintainAll();
    const [row] = await this.kiln.database.query<{ removed: number }>(stillRemoved, [this.tenantId]);
    const gone = row?.removed === 0 ? this.ghosts.length : purged;
    this.purges += gone > 0 ? 1 : 0;
    this.ghosts = this.ghosts.slice(gone);
  }

  /** Removes a file during a purge. Returns how many ghosts there were before. */
  private async maintainAll(): Promise<number> {
    let ghosts = 0;
    while (await this.kiln.mergeWorker.maintain(this.tenantId, 1)) {
      const [index] = await this.kiln.database.query<{ purging: boolean }>(purging, [this.tenantId]);
      if (!index?.purging || ghosts > 0) continue;
      ghosts = this.ghosts.length;
      this.duringPurges++;
      await this.remove(this.someFile());
    }
    return ghosts;
  }

  protected async rankExhaustively(query: string, filter: KnownFilter) {
    return rankExhaustively([...this.files.values()], this.ghosts, query, filter, [...this.languages]);
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
      const query = `${this.text(12)} ${wordOf(this.random(60))}${clauses}`;
      const { scoreMax, ranked } = await this.rankExhaustively(query, filter);
      const answer = await this.kiln.search(this.tenantId, query, { ...filter, limit: 10 });
      const languages = new Set(ranked.map(({ fileId }) => this.files.get(fileId)?.language));
      this.inSeveralLanguages += languages.size > 1 ? 1 : 0;
      this.withClauses += clauses === '' ? 0 : 1;
      this.foundPhrases += / "\S+ /.test(clauses) ? ranked.length : 0;
      const scores = new Map(ranked.map(({ fileId, score }) => [fileId, score / scoreMax]));
      try {
        expect(answer.total).toBe(ranked.length);
        expect(answer.results).toHaveLength(Math.min(10, ranked.length));
        for (const [place, { file_id, score }] of answer.results.entries()) {
          // Files with equal scores may come in any order, so compare the score at each position.
          expect(score).toBeCloseTo((ranked[place]?.score ?? 0) / scoreMax, this.digits);
          expect(score).toBeCloseTo(scores.get(uuidOf('file', file_id)) ?? -1, this.digits);
        }
      } catch (error) {
        const state = JSON.stringify({ query, filter, ...this.counts() });
        throw new Error(`wrong results: ${state}`, { cause: error });
      }
    }
  }

  /** Compares all matching files, and the matching ones among given files, with a reading of each file. */
  async compareMatches(): Promise<void> {
    const random = this.randomClause;
    const files = [...this.files.values()];
    const given = [...this.files.keys(), ...this.removedIds].filter(() => random(3) > 0);
    const filters: KnownFilter[] = [{}, { space: `s${random(3)}` }, { space: 's1', metadata: { owner: 'o1' } }];
    const filter = filters[random(3)] ?? {};
    const text = Array.from({ length: 1 + random(3) }, () => wordOf(random(60))).join(random(8) === 0 ? '-' : ' ');
    const expected = (filtered: KnownFilter) => matchExhaustively(files, text, filtered).map(({ fileId }) => fileId);
    const facets = facetsOfFilter({ contentType: undefined, metadata: undefined, space: undefined, ...filter });
    const { packed } = await this.kiln.matches.match(this.tenantId, text, facets);
    expect([text, unpackIds(packed ?? '').toSorted()]).toStrictEqual([text, expected(filter).toSorted()]);
    const among = await this.kiln.matches.matchAmong(this.tenantId, text, given);
    expect([text, among.toSorted()]).toStrictEqual([
      text,
      expected({})
        .filter((id) => given.includes(id))
        .toSorted(),
    ]);
    this.matches += among.length;
  }
}

const CHUNKS_PER_PART = 500;
const firstPart = statement(
  'test.first_part',
  'select min(part) as part from tail_parts where tenant_id = $1 and file_id = $2',
);
const partialFile = statement(
  'test.partial_file',
  `select t.file_id from tenant_indexes i join tail_parts t on t.tenant_id = $1 and t.file_id = i.partial_file_id
    where i.tenant_id = $1 limit 1`,
);
const purging = statement(
  'test.purging',
  'select purge_term is not null as purging from tenant_indexes where tenant_id = $1',
);
const stillRemoved = statement(
  'test.still_removed',
  `select coalesce((select removed_chunks + removed_titles from tenant_indexes where tenant_id = $1), 0)
          + (select count(*) from removed_ranges where tenant_id = $1) as removed`,
);
