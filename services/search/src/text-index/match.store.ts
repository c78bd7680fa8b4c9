// Finds the files that contain all words of a text, without ranking them. Everything is read in one snapshot of the database, so a file that
// matches throughout is found, even while it is merged or replaced.
import { joinPackedIds, MATCHED_FILES_MAX, packIds, unpackIds, type TextLanguage } from '@kiln/contracts';
import { Database, EventLoopBudget, type Queryable } from '@kiln/platform';
import { numberArray } from '../array-literal.rows.js';
import { FileMatcher } from '../matching/file-matcher.domain.js';
import { wordGroupsOf } from '../matching/word-groups.domain.js';
import { IndexReader, type IndexRange, type IndexStart } from '../searching/domain/index-reader.js';
import { memoryOf, type PostingsMemory } from './postings-memory.domain.js';
import type { RemoteIndex, RemoteWords } from './remote-index.port.js';
import { RemoteScan } from './remote-scan.store.js';
import { readLanguages, readNumbered, readServedAmong } from './match.statements.js';
import { readAmong, visitTerms, type AmongRow } from './read-among.store.js';
import { readFurther, readIndex, WITH_ALL_FACETS } from './read-index.statements.js';

export interface Matches {
  /** Packed ids. Null when there are too many. */
  packed: string | null;
  /** As in a ranking: passages that a merge would move or purge. */
  unmerged: number;
}

/** What PostgreSQL has found. */
interface LocalMatches extends Matches, Pick<IndexReader, 'leftOutRemotely'> {
  words: readonly RemoteWords[];
}

interface MatchesAmong {
  matching: string[];
  /** Files of which the remote index has the current version. */
  served: string[];
  words: readonly RemoteWords[];
}

interface Found {
  /** First numbers of merged files. */
  numbers: number[];
  /** Ids of files in the tail. */
  ids: string[];
}

/** The number of steps between two readings of the clock. */
const STEPS_PER_CHECK = 256;

export class MatchStore {
  /** As in a search, but less, because a common word exceeds the limit in the first ranges. */
  rangeBytes = 1_048_576;
  filesMax = MATCHED_FILES_MAX;
  private readonly remote: RemoteScan;

  constructor(
    private readonly database: Database,
    private readonly memory: PostingsMemory,
    remote: RemoteIndex | null,
  ) {
    this.remote = new RemoteScan(remote);
  }

  /** Returns the files that contain all words and have all of `facets`. Throws UNAVAILABLE while the remote index does not answer. */
  async match(tenantId: string, text: string, facets: readonly string[]): Promise<Matches> {
    const words = text.split(/\s+/).length;
    const bytes = memoryOf(this.rangeBytes, words);
    const local = await this.memory.reserve(tenantId, bytes, () => this.find(tenantId, text, facets));
    const { packed, unmerged } = local;
    const remote = this.remote.of(local);
    if (remote === null || packed === null) return { packed, unmerged };
    // PostgreSQL was read first. So a file that moves to the remote index meanwhile is found in the tail, and left out here.
    const leftOut = [...(local.leftOutRemotely ?? [])];
    const limit = this.filesMax + 1 - unpackIds(packed).length;
    const ids = await remote.match({ tenantId, facets, leftOut, words: local.words, among: null }, limit);
    return { packed: ids.length === limit ? null : joinPackedIds(packed, packIds(ids)), unmerged };
  }

  private find(tenantId: string, text: string, facets: readonly string[]): Promise<LocalMatches> {
    const none = { packed: '', unmerged: 0, words: [], leftOutRemotely: null };
    return this.inSnapshot(tenantId, text, none, async (snapshot, words) => {
      const terms = [...new Set([...words.flatMap(({ groups }) => groups.flat()), ...facets])];
      const all = words.map(({ groups }) => [...groups, ...facets.map((facet) => [facet])]);
      const positionOf = positionsIn(terms);
      const positions = all.map((groups) => groups.map((group) => group.map(positionOf)));
      const { found, unmerged, leftOutRemotely } = await this.readMatches(snapshot, tenantId, terms, positions);
      if (found === null) return { packed: null, unmerged, words, leftOutRemotely };
      const merged = await numberedFiles(snapshot, tenantId, found.numbers);
      return { packed: joinPackedIds(merged, packIds(found.ids)), unmerged, words, leftOutRemotely };
    });
  }

  /** Returns the given files that contain all words. Throws as `match`. */
  async matchAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<string[]> {
    const { matching, served, words } = await this.findAmong(tenantId, text, fileIds);
    if (served.length === 0) return matching;
    const remote = this.remote.of({ leftOutRemotely: new Set() });
    const request = { tenantId, facets: [], leftOut: [], words, among: served };
    return [...matching, ...((await remote?.match(request, served.length)) ?? [])];
  }

  private findAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<MatchesAmong> {
    return this.inSnapshot(tenantId, text, { matching: [], served: [], words: [] }, async (snapshot, words) => {
      const terms = [...new Set(words.flatMap(({ groups }) => groups.flat()))];
      const positionOf = positionsIn(terms);
      const groupsIn = new Map(words.map(({ language, groups }) => [language, groups]));
      const [row] = await snapshot.query<AmongRow>(readAmong, [tenantId, fileIds, terms]);
      const matching: string[] = [];
      visitTerms(row as AmongRow, terms, (fileId, language, positions) => {
        const hasTerm = (term: string) => positions.has(positionOf(term));
        if (groupsIn.get(language)?.every((group) => group.some(hasTerm))) matching.push(fileId);
      });
      const served = await snapshot.query<{ file_id: string }>(readServedAmong, [tenantId, fileIds]);
      return { matching, served: served.map(({ file_id: id }) => id), words };
    });
  }

  /** Calls `work` with the words in each language of the tenant's files. Without words, returns `none`. */
  private inSnapshot<Result>(
    tenantId: string,
    text: string,
    none: Result,
    work: (snapshot: Queryable, words: readonly RemoteWords[]) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(
      async (snapshot) => {
        const languages = await snapshot.query<{ language: TextLanguage }>(readLanguages, [tenantId]);
        const words = languages.map(({ language }) => ({ language, groups: wordGroupsOf(text, language) }));
        const some = words.filter(({ groups }) => groups.length > 0);
        return some.length === 0 ? none : work(snapshot, some);
      },
      { snapshot: true },
    );
  }

  /** `groups` has positions of terms. Returns null files when too many match. */
  private async readMatches(
    snapshot: Queryable,
    tenantId: string,
    terms: readonly string[],
    groups: readonly (readonly (readonly number[])[])[],
  ): Promise<{ found: Found | null } & Pick<IndexReader, 'unmerged' | 'leftOutRemotely'>> {
    const values = [tenantId, terms, this.rangeBytes, true, ...WITH_ALL_FACETS];
    const [start] = await snapshot.query<IndexStart>(readIndex, values);
    const reader = new IndexReader(terms, groups, start as IndexStart);
    const { unmerged, furtherRanges, leftOutRemotely } = reader;
    const matchers = reader.groupCursors.map((each) => new FileMatcher(each));
    const found: Found = { numbers: [], ids: [] };
    for (const [position, from] of furtherRanges.entries()) {
      if (!(await this.collect(matchers, reader, from, found))) return { found: null, unmerged, leftOutRemotely };
      const range = [tenantId, terms, from, furtherRanges[position + 1] ?? Number.MAX_SAFE_INTEGER];
      const [further] = await snapshot.query<IndexRange>(readFurther, range);
      reader.readFurther(further as IndexRange);
    }
    reader.appendTail();
    const isFound = await this.collect(matchers, reader, Number.POSITIVE_INFINITY, found);
    return { found: isFound ? found : null, unmerged, leftOutRemotely };
  }

  /** Adds the files before `end`. Returns false when there are too many. */
  private async collect(
    matchers: readonly FileMatcher[],
    { removed, tailFiles }: IndexReader,
    end: number,
    { numbers, ids }: Found,
  ): Promise<boolean> {
    const budget = new EventLoopBudget();
    let steps = 0;
    for (const matcher of matchers) {
      for (let next = matcher.step(end); !next.isOver; next = matcher.step(end)) {
        if (++steps % STEPS_PER_CHECK === 0 && budget.isSpent) await budget.renew();
        // Removed numbers are only known where postings were read. All numbers of a removed file are removed.
        if (next.file === null || removed.has(matcher.passage)) continue;
        const inTail = tailFiles.get(next.file);
        if (inTail) ids.push(inTail.fileId);
        else numbers.push(next.file);
        if (numbers.length + ids.length > this.filesMax) return false;
      }
    }
    return true;
  }
}

function positionsIn(terms: readonly string[]): (term: string) => number {
  const positions = new Map(terms.map((term, position) => [term, position]));
  return (term) => positions.get(term) ?? -1;
}

/** Returns packed ids. */
async function numberedFiles(snapshot: Queryable, tenantId: string, numbers: readonly number[]): Promise<string> {
  if (numbers.length === 0) return '';
  const [row] = await snapshot.query<{ packed: string }>(readNumbered, [tenantId, numberArray(numbers)]);
  return row?.packed ?? '';
}
