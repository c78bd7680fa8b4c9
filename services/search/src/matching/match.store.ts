// Finds the files that contain all words of a text. Everything is read in one snapshot of the database, so a file that matches throughout is
// found, even while it is merged or replaced.
import { joinPackedIds, MATCHED_FILES_MAX, packIds, type TextLanguage } from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { numberArray } from '../array-literal.rows.js';
import { IndexReader } from '../searching/index-reader.store.js';
import { readFurther, readIndex, type IndexRow } from '../searching/rank.statements.js';
import type { StatementBounds } from '../searching/rank-postings.store.js';
import { EventLoopBudget } from '../searching/domain/event-loop-budget.js';
import { FileMatcher } from './file-matcher.domain.js';
import { wordGroupsOf, type WordGroup } from './word-groups.domain.js';
import { visitTerms } from './file-terms.store.js';
import { readAmong, readLanguages, readNumbered, type AmongRow } from './match.statements.js';

/** The words of a text in one language. */
interface Words {
  language: TextLanguage;
  groups: readonly WordGroup[];
}

export interface Matches {
  /** Packed ids. Null when there are too many. */
  packed: string | null;
  /** As in a ranking. */
  unmerged: number;
}

interface Found {
  /** First numbers of merged files. */
  numbers: number[];
  /** Ids of files in the tail. */
  ids: string[];
}

/** Between two looks at the clock. */
const STEPS_PER_CHECK = 256;

@Injectable()
export class MatchStore {
  /** A range is shorter than that of a search: a common word exceeds the limit in the first ones. */
  bounds: StatementBounds = { numbers: 131_072, furtherPostings: 131_072 };
  filesMax = MATCHED_FILES_MAX;

  constructor(private readonly database: Database) {}

  /** The files that contain all words and have all of `facets`. */
  async match(tenantId: string, text: string, facets: readonly string[]): Promise<Matches> {
    const none = { packed: '', unmerged: 0 };
    return this.inSnapshot(tenantId, text, none, async (snapshot, words) => {
      const terms = [...new Set([...words.flatMap(({ groups }) => groups.flat()), ...facets])];
      const all = words.map(({ groups }) => [...groups, ...facets.map((facet) => [facet])]);
      const positionOf = positionsIn(terms);
      const reader = new IndexReader(
        terms,
        all.map((groups) => groups.map((group) => group.map(positionOf))),
      );
      const found = await this.readMatches(snapshot, tenantId, terms, reader);
      const unmerged = Math.max(reader.tailPassages, reader.removedNumbers);
      if (found === null) return { packed: null, unmerged };
      const merged = await numberedFiles(snapshot, tenantId, found.numbers);
      return { packed: joinPackedIds(merged, packIds(found.ids)), unmerged };
    });
  }

  /** Those of the files that contain all words. */
  async matchAmong(tenantId: string, text: string, fileIds: readonly string[]): Promise<string[]> {
    return this.inSnapshot(tenantId, text, [], async (snapshot, words) => {
      const terms = [...new Set(words.flatMap(({ groups }) => groups.flat()))];
      const positionOf = positionsIn(terms);
      const groupsIn = new Map(words.map(({ language, groups }) => [language, groups]));
      const rows = await snapshot.query<AmongRow>(readAmong, [tenantId, fileIds, terms]);
      const matching: string[] = [];
      visitTerms(rows, terms, ({ file_id: fileId, language }, positions) => {
        const groups = language === null ? undefined : groupsIn.get(language);
        const hasTerm = (term: string) => positions.has(positionOf(term));
        if (fileId !== null && groups?.every((group) => group.some(hasTerm))) matching.push(fileId);
      });
      return matching;
    });
  }

  /** Calls `work` with the words in each language of the tenant's files. Without words, returns `none`. */
  private inSnapshot<Result>(
    tenantId: string,
    text: string,
    none: Result,
    work: (snapshot: Queryable, words: readonly Words[]) => Promise<Result>,
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

  /** Null when too many files match. */
  private async readMatches(
    snapshot: Queryable,
    tenantId: string,
    terms: readonly string[],
    reader: IndexReader,
  ): Promise<Found | null> {
    const { numbers, furtherPostings } = this.bounds;
    reader.readFirst(await snapshot.query<IndexRow>(readIndex, [tenantId, terms, numbers, furtherPostings, numbers]));
    const matchers = reader.groupCursors.map((groups) => new FileMatcher(groups));
    const found: Found = { numbers: [], ids: [] };
    for (let end = numbers; !reader.complete && end < reader.nextNumber; end += numbers) {
      if (!(await this.collect(matchers, reader, end, found))) return null;
      reader.readFurther(await snapshot.query<IndexRow>(readFurther, [tenantId, terms, end, end + numbers]));
    }
    reader.appendTail();
    return (await this.collect(matchers, reader, Number.POSITIVE_INFINITY, found)) ? found : null;
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
        if (next.file === null || removed.has(next.file)) continue;
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

/** Packed ids. */
async function numberedFiles(snapshot: Queryable, tenantId: string, numbers: readonly number[]): Promise<string> {
  if (numbers.length === 0) return '';
  const [row] = await snapshot.query<{ packed: string }>(readNumbered, [tenantId, numberArray(numbers)]);
  return row?.packed ?? '';
}
