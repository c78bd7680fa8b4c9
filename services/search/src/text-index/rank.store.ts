// Ranks files by the words of a query. A scan of the postings finds the best files (scan.store.ts), then a second statement reads their texts.
import { unpackIds } from '@kiln/contracts';
import { Database, EventLoopBudget, statement, type Queryable } from '@kiln/platform';
import { numberArray } from '../array-literal.rows.js';
import { normaliseScore } from '../searching/domain/bm25.js';
import type { IndexReader } from '../searching/domain/index-reader.js';
import { PhraseChecks } from '../searching/domain/phrase-check.js';
import type { SearchQuery } from '../searching/domain/search-query.js';
import type { ScoredFile, TopFiles } from '../searching/domain/top-files.js';
import { readTexts, type Passage } from './chunk.store.js';
import type { PostingsMemory } from './postings-memory.domain.js';
import type { RemoteIndex } from './remote-index.port.js';
import { IndexScans, type Scanned } from './scan.store.js';
import type { RankedFile } from './skipped-files.domain.js';
import type { BestLimits, Ranking, RankLimits } from './indexed-text.domain.js';

/** The texts of passages of scored files. */
type ReadTexts = (passages: readonly { file: ScoredFile; place: number }[], bytesMax?: number) => Promise<Passage[]>;

interface RankedByPostings extends Ranking {
  /** Passages of the tenant that a merge would move or purge. */
  unmerged: number;
}

const NO_FILE = '00000000-0000-0000-0000-000000000000';

/** Returns packed ids, in the order of the numbers. The id of a number without a file is 0. $1 tenant, $2 numbers of first passages. */
export const readIdsInOrder = statement(
  'search.read_ids_in_order',
  `select replace(encode(coalesce(string_agg(uuid_send(coalesce(f.file_id, '${NO_FILE}')), '' order by t.position), ''), 'base64'),
                  e'\\n', '') as packed
     from unnest($2::int8[]) with ordinality as t(number, position)
     left join files f on f.tenant_id = $1 and f.first_number = t.number`,
);

export class RankStore {
  /** What a search for phrases reads at most, so that a phrase of common words costs no more in a large tenant. */
  checkBounds = {
    /** Only this many of the best files are checked. */
    files: 1_000,
    /** For each file, this many of the passages are known that have all words of a phrase. */
    passagesPerFile: 200,
    /** The maximum number of texts that one search reads. */
    passages: 1_000,
    bytes: 4_194_304,
    /** The maximum number of texts that one statement reads. It exceeds the bytes by one text at most. */
    passagesPerStatement: 200,
    bytesPerStatement: 1_048_576,
  };

  readonly scans: IndexScans;

  constructor(database: Database, memory: PostingsMemory, remote: RemoteIndex | null = null) {
    this.scans = new IndexScans(database, memory, remote);
  }

  /** Throws BAD_REQUEST for a query with too many clauses. */
  rank(tenantId: string, text: string, facets: readonly string[], limits: RankLimits): Promise<RankedByPostings> {
    const { limit, chunksPerFile = 1, ...only } = limits;
    const { files, passagesPerFile } = this.checkBounds;
    const limitOf = (query: SearchQuery) => (needsTexts(query) ? Math.max(limit, files) : limit);
    const request = { tenantId, text, facets, limitOf, chunksPerFile, passagesPerFile, ...only };
    return this.scans.scan(request, async (database, scanned, isLastTry) => {
      const { query, reader, weights } = scanned;
      const found = await this.readFiles(textsIn(database, tenantId, reader), scanned, { limit, isLastTry });
      if (!found) return null;
      const scored = found.files.map((file) => ({ ...file, score: normaliseScore(file.score, weights.scoreMax) }));
      return { files: scored, total: found.total, terms: query.terms, weights, unmerged: reader.unmerged };
    });
  }

  /** Returns the best files by their postings. Throws BAD_REQUEST for a query with too many clauses. */
  best(tenantId: string, text: string, facets: readonly string[], limits: BestLimits): Promise<RankedFile[]> {
    const { limit, ...only } = limits;
    const request = { tenantId, text, facets, limitOf: () => limit, chunksPerFile: 0, passagesPerFile: 0, ...only };
    return this.scans.scan(request, async (database, { reader, top }) => {
      const numbers = top.items.map(({ first }) => numberOf(first, reader));
      const [row] = await database.query<{ packed: string }>(readIdsInOrder, [tenantId, numberArray(numbers)]);
      const merged = unpackIds(row?.packed ?? '');
      return top.items
        .map(({ first }, position) => ({
          fileId: reader.tailFiles.get(first)?.fileId ?? merged[position] ?? NO_FILE,
          number: numbers[position] ?? null,
        }))
        .filter(({ fileId }) => fileId !== NO_FILE);
    });
  }

  /** Returns null when the scored version of a file is no longer the current one. In the last try, such a file is left out. */
  private async readFiles(
    read: ReadTexts,
    { query, reader, top }: Scanned,
    { limit, isLastTry }: { limit: number; isLastTry: boolean },
  ): Promise<Pick<Ranking, 'files' | 'total'> | null> {
    const checked = needsTexts(query) ? await this.checkPhrases(read, query, top, isLastTry) : top;
    if (!checked) return null;
    const files = checked.items.slice(0, limit).flatMap(chunksOf).toSorted(byScore).slice(0, limit);
    // Place 0 is the title, which is not shown.
    const rows = await read(files.map((file) => ({ file, place: Math.max(file.place, 1) })));
    const found: Ranking['files'] = [];
    for (const [position, row] of rows.entries()) {
      if (row.fileId === null) {
        if (isLastTry) continue;
        return null;
      }
      const { first, score, place } = files[position] as ScoredFile;
      const number = numberOf(first, reader);
      found.push({ ...row, number, score, chunk: Math.max(place - 1, 0) });
    }
    return { files: found, total: checked.total };
  }

  /** `total` also counts files that could not be checked within the bounds. Returns null in the same case as `readFiles`. */
  private async checkPhrases(read: ReadTexts, { clauses }: SearchQuery, top: TopFiles, isLastTry: boolean) {
    const bounds = this.checkBounds;
    const checks = new PhraseChecks(top, clauses);
    const budget = new EventLoopBudget();
    let passages = 0;
    let bytes = 0;
    while (passages < bounds.passages && bytes < bounds.bytes) {
      const unread = checks.next(Math.min(bounds.passagesPerStatement, bounds.passages - passages));
      if (unread.length === 0) break;
      const rows = await read(unread, bounds.bytesPerStatement);
      for (const [position, row] of rows.entries()) {
        const passage = unread[position];
        if (row.fileId === null) {
          if (!isLastTry) return null;
          passage?.check.leaveOut();
          continue;
        }
        passages++;
        bytes += Buffer.byteLength(row.text);
        passage?.check.read(passage.place, row.text, row.language);
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

/** Null for a file of the tail, whose number is temporary. */
const numberOf = (first: number, { tailFiles }: IndexReader) => (tailFiles.has(first) ? null : first);

const textsIn =
  (database: Queryable, tenantId: string, reader: IndexReader): ReadTexts =>
  (passages, bytesMax) => {
    const keys = passages.map(({ file: { first }, place }) => {
      const version = reader.tailFiles.get(first) ?? null;
      return { fileNumber: version ? null : first, version, place };
    });
    return readTexts(database, tenantId, keys, bytesMax);
  };
