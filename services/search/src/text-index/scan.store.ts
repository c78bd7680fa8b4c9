// Reads the postings of a query and scores them. It runs without a transaction first, whose two round trips would be half the cost of a
// short search. If a file has changed before the caller reads its text, or if one statement cannot read everything, the scan is repeated in
// a transaction with one snapshot.
import type { TextLanguage } from '@kiln/contracts';
import { Database, EventLoopBudget, type Queryable } from '@kiln/platform';
import QuickLRU from 'quick-lru';
import { weighTerms, type RankingWeights } from '../searching/domain/bm25.js';
import { ClauseFilter, ClausePostings } from '../searching/domain/clause-filter.js';
import { IndexReader, type IndexRange, type IndexStart } from '../searching/domain/index-reader.js';
import { PostingScorer } from '../searching/domain/score-postings.js';
import { lookUpOf, searchQueryOf, type LookUp, type SearchQuery } from '../searching/domain/search-query.js';
import type { TopFiles } from '../searching/domain/top-files.js';
import { addLeftOutFacets } from './left-out-facets.store.js';
import { readNamed, type IsNamed } from './named-files.store.js';
import { memoryOf, type PostingsMemory, type ReservedMemory } from './postings-memory.domain.js';
import { readFurther, readIndex } from './read-index.statements.js';
import type { RemoteIndex } from './remote-index.port.js';
import { addRanked, RemoteScan } from './remote-scan.store.js';
import type { SkippedFiles } from './skipped-files.domain.js';

/** The words and facets of a scan, and what it keeps. */
interface ScanRequest {
  tenantId: string;
  text: string;
  facets: readonly string[];
  /** How many of the best files are kept. */
  limitOf: (query: SearchQuery) => number;
  /** How many of the best chunks of a file are found. 0: only the file. */
  chunksPerFile: number;
  /** How many passages of a file are kept that have all words of a phrase. */
  passagesPerFile: number;
  skipped?: SkippedFiles | undefined;
  /** The only files that are found. */
  fileIds?: readonly string[] | undefined;
}

interface Scan extends ScanRequest {
  query: SearchQuery;
  lookUp: LookUp;
  languages: readonly TextLanguage[];
  isLastTry: boolean;
}

interface NamedScan extends Scan {
  isNamed: IsNamed;
}

export interface Scanned {
  query: SearchQuery;
  reader: IndexReader;
  weights: RankingWeights;
  top: TopFiles;
}

/**
 * Reads what belongs to the scanned files. Returns null when a scanned version is no longer the current one. In the last try it leaves
 * out such a file instead.
 */
type Finish<Result> = (database: Queryable, scanned: Scanned, isLastTry: boolean) => Promise<Result | null>;

/** Nothing can read PostgreSQL and a remote index in one snapshot. */
const TRIES_MAX = 5;

const TENANTS_MAX = 10_000;
/** The languages of a tenant that was not searched yet. Most tenants have files of the default language only. */
const UNKNOWN: readonly TextLanguage[] = ['english'];

export class IndexScans {
  /** The most bytes of postings that one statement reads. It exceeds them by two blocks of each term at most. */
  rangeBytes = 4_194_304;
  /** A search reads the words before the facets if they have at most so many postings, and the facets have more blocks. */
  facetBounds = { postings: 256, blocks: 64 };
  private readonly remote: RemoteScan;

  /**
   * The languages of each tenant's files, as the last search has read them. Each search reads them again, so an outdated entry costs a
   * repeat.
   */
  private readonly languages = new QuickLRU<string, readonly TextLanguage[]>({ maxSize: TENANTS_MAX });

  constructor(
    private readonly database: Database,
    private readonly memory: PostingsMemory,
    remote: RemoteIndex | null,
  ) {
    this.remote = new RemoteScan(remote);
  }

  /** Throws BAD_REQUEST for a query with too many clauses, and UNAVAILABLE while the remote index does not answer. */
  async scan<Result>(request: ScanRequest, finish: Finish<Result>): Promise<Result> {
    const { tenantId, text, facets } = request;
    // The numbers of named files are read by a statement of their own.
    const namesFiles = request.fileIds !== undefined;
    let inSnapshot = namesFiles;
    for (let tries = 1; ; tries++) {
      const languages = this.languages.get(tenantId) ?? UNKNOWN;
      const query = searchQueryOf(text, languages);
      const scan = { ...request, query, lookUp: lookUpOf(query, facets), languages, isLastTry: tries >= TRIES_MAX };
      const bytes = memoryOf(this.rangeBytes, scan.lookUp.terms.length);
      const run = (database: Queryable, memory: ReservedMemory) =>
        this.scanIn(database, scan, inSnapshot, memory, finish);
      const result = await this.memory.reserve(tenantId, bytes, (memory) =>
        inSnapshot
          ? this.database.transaction((snapshot) => run(snapshot, memory), { snapshot: true })
          : run(this.database, memory),
      );
      if (result !== null) return result;
      inSnapshot = namesFiles || languages === (this.languages.get(tenantId) ?? UNKNOWN);
    }
  }

  /** Returns null when the scan must be repeated: in further languages, which are known then, or in a snapshot. */
  private async scanIn<Result>(
    database: Queryable,
    scan: Scan,
    isSnapshot: boolean,
    memory: ReservedMemory,
    finish: Finish<Result>,
  ): Promise<Result | null> {
    const { tenantId, query, lookUp, facets } = scan;
    const { postings, blocks } = this.facetBounds;
    const budget = new EventLoopBudget();
    const values = [tenantId, lookUp.terms, this.rangeBytes, isSnapshot, facets, postings, blocks];
    const [start] = (await database.query<IndexStart>(readIndex, values)) as [IndexStart];
    // After a statement of a heavy call, the database is left to others, too.
    if (budget.isSpent) await budget.renew();
    const reader = new IndexReader(lookUp.terms, lookUp.clauses, start);
    if (reader.languages.some((language) => !scan.languages.includes(language))) {
      this.languages.set(tenantId, reader.languages);
      return null;
    }
    const { furtherRanges } = reader;
    if (furtherRanges.length > 0 && !isSnapshot) return null;
    if (start.facets_left_out) {
      const position = query.terms.length;
      if (!(await addLeftOutFacets(database, { tenantId, facets, position }, start, reader))) return null;
    } else if (furtherRanges.length === 0) {
      memory.shrinkTo(memoryOf(start.postings?.length ?? 0, lookUp.terms.length));
    }
    const remoteScan = { ...scan, limit: scan.limitOf(query) };
    await this.remote.count(remoteScan, reader);
    const weights = weighTerms(query, reader.passages, reader.totals);
    const ranking = this.remote.rank(remoteScan, reader, weights);
    const isNamed = await readNamed(database, tenantId, scan.fileIds);
    const [top, ranked] = await Promise.all([this.score(database, { ...scan, isNamed }, reader, weights), ranking]);
    memory.shrinkTo(0);
    addRanked(ranked, { reader, top, chunksPerFile: scan.chunksPerFile });
    const result = await finish(database, { query, reader, weights, top }, scan.isLastTry);
    if (result === null && isSnapshot && reader.leftOutRemotely === null)
      throw new Error('The index contains passages that belong to no file.');
    return result;
  }

  private async score(
    database: Queryable,
    scan: NamedScan,
    reader: IndexReader,
    weights: RankingWeights,
  ): Promise<TopFiles> {
    const { tenantId, lookUp } = scan;
    const { furtherRanges } = reader;
    const scorer = scorerOf(scan, reader, weights);
    for (const [position, from] of furtherRanges.entries()) {
      await scorer.scoreBelow(from);
      const range = [tenantId, lookUp.terms, from, furtherRanges[position + 1] ?? Number.MAX_SAFE_INTEGER];
      const [further] = await database.query<IndexRange>(readFurther, range);
      reader.readFurther(further as IndexRange);
    }
    reader.appendTail();
    await scorer.scoreBelow(Number.POSITIVE_INFINITY);
    return scorer.finish();
  }
}

function scorerOf(scan: NamedScan, reader: IndexReader, weights: RankingWeights): PostingScorer {
  const { query, facets, chunksPerFile, skipped, isNamed } = scan;
  const { terms, clauses } = query;
  const postings = reader.groupCursors.map((variants) => new ClausePostings(variants));
  const facetsEnd = terms.length + facets.length;
  return new PostingScorer({
    terms: reader.cursors.slice(0, terms.length),
    facets: reader.cursors.slice(terms.length, facetsEnd),
    clauses: clauses.length === 0 ? null : new ClauseFilter(clauses, postings, scan.passagesPerFile),
    removed: reader.removed,
    isSkipped: (first) => {
      const unmergedId = reader.tailFiles.get(first)?.fileId;
      return !isNamed(first, unmergedId) || (skipped?.has(first, unmergedId) ?? false);
    },
    weights,
    chunksPerFile,
    limit: scan.limitOf(query),
  });
}
