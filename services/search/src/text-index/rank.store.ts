// Ranks files by the words of a query. The first statement reads postings, the second reads the texts of the results. They run without a
// transaction, whose two round trips would be half the cost of a short search. If a file has changed between them, or if the first one
// cannot read everything, the search is repeated in a transaction with one snapshot.
import type { TextLanguage } from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import QuickLRU from 'quick-lru';
import { normaliseScore, weighTerms } from '../searching/domain/bm25.js';
import { ClauseFilter, ClausePostings } from '../searching/domain/clause-filter.js';
import { EventLoopBudget } from '../searching/domain/event-loop-budget.js';
import { IndexReader, type IndexRange, type IndexStart } from '../searching/domain/index-reader.js';
import { PhraseChecks } from '../searching/domain/phrase-check.js';
import { PostingScorer } from '../searching/domain/score-postings.js';
import { lookUpOf, searchQueryOf, type LookUp, type SearchQuery } from '../searching/domain/search-query.js';
import type { ScoredFile, TopFiles } from '../searching/domain/top-files.js';
import { readTexts, textOf, type Passage } from './chunk.store.js';
import { readFurther, readIndex } from './read-index.statements.js';
import type { Ranking, RankLimits } from './text-index.port.js';

/** What one statement reads at most. The bounds limit the memory of a search. */
export interface RangeBounds {
  /** The size of a range of numbers: a multiple of the numbers of a window. */
  numbers: number;
  /** If the terms have at most this many postings beyond the first range, the first statement reads them as well. */
  furtherPostings: number;
}

/** What a search for phrases reads at most, so that a phrase of common words costs no more in a large tenant. */
interface CheckBounds {
  /** Only this many of the best files are checked. */
  files: number;
  /** For each file, this many of the passages are known that have all words of a phrase. */
  passagesPerFile: number;
  /** The maximum number of texts that one search reads. */
  passages: number;
  bytes: number;
  /** The maximum number of texts that one statement reads. It exceeds the bytes by one text at most. */
  passagesPerStatement: number;
  bytesPerStatement: number;
}

interface Search {
  tenantId: string;
  query: SearchQuery;
  facets: readonly string[];
  lookUp: LookUp;
  languages: readonly TextLanguage[];
  limit: number;
  chunksPerFile: number;
}

/** The texts of passages of scored files. */
type ReadTexts = (passages: readonly { file: ScoredFile; place: number }[], bytesMax?: number) => Promise<Passage[]>;

export interface RankedByPostings extends Ranking {
  /** Passages of the tenant that a merge would move or purge. */
  unmerged: number;
}

const TENANTS_MAX = 10_000;
/** The languages of a tenant that was not searched yet. Most tenants have files of the default language only. */
const UNKNOWN: readonly TextLanguage[] = ['english'];

export class RankStore {
  bounds: RangeBounds = { numbers: 262_144, furtherPostings: 1_048_576 };
  checkBounds: CheckBounds = {
    files: 1_000,
    passagesPerFile: 200,
    passages: 1_000,
    bytes: 4_194_304,
    passagesPerStatement: 200,
    bytesPerStatement: 1_048_576,
  };

  /**
   * The languages of each tenant's files, as the last search has read them. Each search reads them again, so an outdated entry costs a
   * repeat.
   */
  private readonly languages = new QuickLRU<string, readonly TextLanguage[]>({ maxSize: TENANTS_MAX });

  constructor(private readonly database: Database) {}

  /** Throws BAD_REQUEST for a query with too many clauses. */
  async rank(tenantId: string, text: string, facets: readonly string[], limits: RankLimits): Promise<RankedByPostings> {
    const { limit, chunksPerFile = 1 } = limits;
    for (let inSnapshot = false; ;) {
      const languages = this.languages.get(tenantId) ?? UNKNOWN;
      const query = searchQueryOf(text, languages);
      const search = { tenantId, query, facets, lookUp: lookUpOf(query, facets), languages, limit, chunksPerFile };
      const ranking = inSnapshot
        ? await this.database.transaction((snapshot) => this.rankIn(snapshot, search, true), { snapshot: true })
        : await this.rankIn(this.database, search, false);
      if (ranking) return ranking;
      inSnapshot = languages === (this.languages.get(tenantId) ?? UNKNOWN);
    }
  }

  /** Returns null when the search must be repeated: in further languages, which are known then, or in a snapshot. */
  private async rankIn(database: Queryable, search: Search, isSnapshot: boolean): Promise<RankedByPostings | null> {
    const { tenantId, query, lookUp } = search;
    const { numbers, furtherPostings } = this.bounds;
    const first = [tenantId, lookUp.terms, numbers, furtherPostings, isSnapshot ? numbers : 0];
    const [start] = await database.query<IndexStart>(readIndex, first);
    const reader = new IndexReader(lookUp.terms, lookUp.clauses, start as IndexStart);
    if (reader.languages.some((language) => !search.languages.includes(language))) {
      this.languages.set(tenantId, reader.languages);
      return null;
    }
    if (!reader.isWhole && !isSnapshot) return null;
    const weights = weighTerms(query, reader.passages, reader.totals);
    const scorer = this.scorerOf(search, reader, weights);
    for (let end = numbers; !reader.isWhole && end < reader.nextNumber; end += numbers) {
      await scoreBelow(scorer, end);
      const range = [tenantId, lookUp.terms, end, end + numbers];
      const [further] = await database.query<IndexRange>(readFurther, range);
      reader.readFurther(further as IndexRange);
    }
    reader.appendTail();
    await scoreBelow(scorer, Number.POSITIVE_INFINITY);
    const read: ReadTexts = (passages, bytesMax) => {
      const keys = passages.map(({ file: { first }, place }) => {
        const version = reader.tailFiles.get(first) ?? null;
        return { fileNumber: version ? null : first, version, place };
      });
      return readTexts(database, tenantId, keys, bytesMax);
    };
    const found = await this.readFiles(read, search, scorer.finish());
    if (!found && isSnapshot) throw new Error('The index contains passages that belong to no file.');
    if (!found) return null;
    const files = found.files.map((file) => ({ ...file, score: normaliseScore(file.score, weights.scoreMax) }));
    return { files, total: found.total, terms: query.terms, weights, unmerged: reader.unmerged };
  }

  private scorerOf(
    { query, facets, limit, chunksPerFile }: Search,
    reader: IndexReader,
    weights: ReturnType<typeof weighTerms>,
  ) {
    const { terms, clauses } = query;
    const postings = reader.groupCursors.map((variants) => new ClausePostings(variants));
    const facetsEnd = terms.length + facets.length;
    return new PostingScorer({
      terms: reader.cursors.slice(0, terms.length),
      facets: reader.cursors.slice(terms.length, facetsEnd),
      clauses: clauses.length === 0 ? null : new ClauseFilter(clauses, postings, this.checkBounds.passagesPerFile),
      removed: reader.removed,
      weights,
      chunksPerFile,
      limit: needsTexts(query) ? Math.max(limit, this.checkBounds.files) : limit,
    });
  }

  /** Returns null when the scored version of a file is no longer the current one. */
  private async readFiles(
    read: ReadTexts,
    { query, limit }: Search,
    top: TopFiles,
  ): Promise<Pick<Ranking, 'files' | 'total'> | null> {
    const checked = needsTexts(query) ? await this.checkPhrases(read, query, top) : top;
    if (!checked) return null;
    const files = checked.files.slice(0, limit).flatMap(chunksOf).toSorted(byScore).slice(0, limit);
    // Place 0 is the title, which is not shown.
    const rows = await read(files.map((file) => ({ file, place: Math.max(file.place, 1) })));
    const found: Ranking['files'] = [];
    for (const [position, row] of rows.entries()) {
      const text = textOf(row);
      if (row.file_id === null || text === null) return null;
      const { score, place } = files[position] as ScoredFile;
      found.push({ ...text, fileId: row.file_id, score, chunk: Math.max(place - 1, 0) });
    }
    return { files: found, total: checked.total };
  }

  /** `total` also counts files that could not be checked within the bounds. Returns null in the same case as `readFiles`. */
  private async checkPhrases(read: ReadTexts, { clauses }: SearchQuery, top: TopFiles) {
    const bounds = this.checkBounds;
    const checks = new PhraseChecks(top, clauses);
    const budget = new EventLoopBudget();
    let passages = 0;
    let bytes = 0;
    while (passages < bounds.passages && bytes < bounds.bytes) {
      const unread = checks.next(Math.min(bounds.passagesPerStatement, bounds.passages - passages));
      if (unread.length === 0) break;
      const rows = await read(unread, bounds.bytesPerStatement);
      for (const [position, { file_id: fileId, language, body }] of rows.entries()) {
        if (fileId === null || language === null) return null;
        passages++;
        bytes += Buffer.byteLength(body);
        const passage = unread[position];
        passage?.check.read(passage.place, body, language);
        if (budget.isSpent) await budget.renew();
      }
    }
    return checks.met;
  }
}

/** The chunks of one file that were found. The best chunks of all files are among those of the best files. */
const chunksOf = (file: ScoredFile): ScoredFile[] =>
  file.chunks && file.chunks.length > 0 ? file.chunks.map((chunk) => ({ ...file, ...chunk })) : [file];

/** Of equal scores, the order of the files and of their chunks is kept. */
const byScore = (left: ScoredFile, right: ScoredFile) => right.score - left.score;

/** Whether a clause cannot be decided by postings. */
const needsTexts = ({ clauses }: SearchQuery) => clauses.some(({ needsText }) => needsText);

async function scoreBelow(scorer: PostingScorer, end: number): Promise<void> {
  const budget = new EventLoopBudget();
  while (scorer.scoreWindow(end)) if (budget.isSpent) await budget.renew();
}
