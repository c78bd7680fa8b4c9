// Reads the index and ranks files. One statement reads what is scored, a second one the texts of the results. They run without a
// transaction, whose two round trips would be half the cost of a short search. If the second statement does not find a file, or if the
// search needs more statements, it is repeated in a transaction with one snapshot.
import { Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { weighTerms, type RankingWeights } from './domain/bm25.js';
import { ClauseFilter } from './domain/clause-filter.js';
import { ClausePostings } from './domain/clause-postings.js';
import { PostingScorer } from './domain/score-postings.js';
import type { SearchQuery } from './domain/search-query.js';
import type { ScoredFile, TopFiles } from './domain/top-files.js';
import { numberArray } from '../array-literal.js';
import { checkPhrases, type CheckBounds } from './check-phrases.js';
import { IndexReader, keysOf } from './index-reader.js';
import { readFound, readFurther, readIndex, type IndexRow } from './rank.statements.js';
import { TimeSlices } from './time-slices.js';

export interface RankedFile {
  fileId: string;
  score: number;
  /** The index of the best chunk. 0 when only the title matches. */
  chunk: number;
  /** The text of the best chunk. Empty when the file has no chunks. */
  body: string;
}

export interface Ranking {
  files: RankedFile[];
  /** How many files match, including those beyond the limit, and those whose texts could not be checked within the bounds. */
  total: number;
  weights: RankingWeights;
  /** Passages in the tail, or removed numbers that are not collected in a window yet, whichever are more. */
  unmerged: number;
}

/** What one statement reads at most. This bounds the memory of a search. */
export interface StatementBounds {
  /** The size of a range of numbers: a multiple of the numbers of a window. */
  numbers: number;
  /** If the terms have at most this many postings beyond the first range, the first statement reads them as well. */
  furtherPostings: number;
}

interface Search {
  tenantId: string;
  query: SearchQuery;
  facets: readonly string[];
  /** The terms of the query, followed by the facets and by terms that only exclude. */
  terms: readonly string[];
  /** For each clause, the positions of its terms among these. */
  clausePositions: readonly (readonly number[])[];
  limit: number;
  bounds: StatementBounds;
  checkBounds: CheckBounds;
}

@Injectable()
export class SearchStore {
  bounds: StatementBounds = { numbers: 262_144, furtherPostings: 1_048_576 };
  checkBounds: CheckBounds = {
    files: 1_000,
    passagesPerFile: 200,
    passages: 1_000,
    bytes: 4_194_304,
    passagesPerStatement: 200,
    bytesPerStatement: 1_048_576,
  };

  constructor(private readonly database: Database) {}

  /** Returns the best `limit` files that have all of `facets` and meet the query's clauses. */
  async rank(tenantId: string, query: SearchQuery, facets: readonly string[], limit: number): Promise<Ranking> {
    const { bounds, checkBounds } = this;
    const search = { tenantId, query, facets, ...termsOf(query, facets), limit, bounds, checkBounds };
    const ranking = await this.rankWithoutTransaction(search);
    return ranking ?? this.database.transaction((snapshot) => rankInSnapshot(snapshot, search), { snapshot: true });
  }

  /** Returns null when one statement cannot read everything, or when a result was deleted or replaced before its text was read. */
  private async rankWithoutTransaction(search: Search): Promise<Ranking | null> {
    const reader = await readFirst(this.database, search, 0);
    if (!reader.complete) return null;
    const { scorer, weights } = scorerOf(search, reader);
    const top = await scoreRest(reader, scorer);
    const found = await readFiles(this.database, search, reader, top);
    return found && { ...found, weights, unmerged: unmergedIn(reader) };
  }
}

function termsOf({ terms, clauses }: SearchQuery, facets: readonly string[]) {
  const all = [...terms.map(({ term }) => term), ...facets];
  const positions = new Map<string, number>();
  if (clauses.length > 0) for (const [position, term] of all.entries()) positions.set(term, position);
  const positionOf = (term: string) => {
    const known = positions.get(term);
    if (known !== undefined) return known;
    positions.set(term, all.length);
    return all.push(term) - 1;
  };
  return { terms: all, clausePositions: clauses.map((clause) => clause.terms.map(positionOf)) };
}

async function rankInSnapshot(snapshot: Queryable, search: Search): Promise<Ranking> {
  const { tenantId, terms } = search;
  const { numbers } = search.bounds;
  const reader = await readFirst(snapshot, search, numbers);
  const { scorer, weights } = scorerOf(search, reader);
  for (let end = numbers; !reader.complete && end < reader.nextNumber; end += numbers) {
    await scoreBelow(scorer, end);
    const range = [end, end + numbers];
    reader.readFurther(await snapshot.query<IndexRow>(readFurther, [tenantId, terms, ...range]));
  }
  const top = await scoreRest(reader, scorer);
  const found = await readFiles(snapshot, search, reader, top);
  if (!found) throw new Error('The index contains passages that belong to no file.');
  return { ...found, weights, unmerged: unmergedIn(reader) };
}

/** Reads everything, or, when that is too much, the passages below number `end`. */
async function readFirst(database: Queryable, search: Search, end: number): Promise<IndexReader> {
  const { tenantId, terms, clausePositions, bounds } = search;
  const reader = new IndexReader(terms, clausePositions);
  const values = [tenantId, terms, bounds.numbers, bounds.furtherPostings, end];
  reader.readFirst(await database.query<IndexRow>(readIndex, values));
  return reader;
}

function scorerOf(search: Search, reader: IndexReader) {
  const { checkBounds } = search;
  const { terms, clauses } = search.query;
  const postings = reader.clauseCursors.map((cursors) => new ClausePostings(cursors));
  const weights = weighTerms(terms, reader.passages, reader.totals);
  const facetsEnd = terms.length + search.facets.length;
  const scorer = new PostingScorer({
    terms: reader.cursors.slice(0, terms.length),
    facets: reader.cursors.slice(terms.length, facetsEnd),
    clauses: clauses.length === 0 ? null : new ClauseFilter(clauses, postings, checkBounds.passagesPerFile),
    removed: reader.removed,
    weights,
    limit: needsTexts(search) ? Math.max(search.limit, checkBounds.files) : search.limit,
  });
  return { scorer, weights };
}

/** Whether a clause cannot be decided by postings. */
const needsTexts = ({ query }: Search) => query.clauses.some(({ needsText }) => needsText);

const unmergedIn = ({ tailPassages, removedNumbers }: IndexReader) => Math.max(tailPassages, removedNumbers);

/** Scores what was read and is not scored yet, and the tail. */
async function scoreRest(reader: IndexReader, scorer: PostingScorer): Promise<TopFiles> {
  reader.appendTail();
  await scoreBelow(scorer, Number.POSITIVE_INFINITY);
  return scorer.finish();
}

async function scoreBelow(scorer: PostingScorer, end: number): Promise<void> {
  const slices = new TimeSlices();
  while (scorer.scoreWindow(end)) if (slices.isOver) await slices.next();
}

/** Returns null when the scored version of a file is no longer the current one. */
async function readFiles(
  database: Queryable,
  search: Search,
  reader: IndexReader,
  top: TopFiles,
): Promise<Pick<Ranking, 'files' | 'total'> | null> {
  const { tenantId, limit, checkBounds: bounds } = search;
  const checking = { database, tenantId, reader, bounds };
  const checked = needsTexts(search) ? await checkPhrases(checking, search.query.clauses, top) : top;
  if (!checked) return null;
  const { total } = checked;
  const files = checked.files.slice(0, limit);
  if (files.length === 0) return { files: [], total };
  const rows = await database.query<{ file_id: string | null; body: string }>(readFound, [
    tenantId,
    ...keysOf(reader, files),
    numberArray(files.map(chunkOf)),
  ]);
  const found: RankedFile[] = [];
  for (const [position, { file_id: fileId, body }] of rows.entries()) {
    if (fileId === null) return null;
    const file = files[position] as ScoredFile;
    found.push({ fileId, score: file.score, chunk: chunkOf(file), body });
  }
  return { files: found, total };
}

/** Place 0 is the title. */
const chunkOf = ({ place }: ScoredFile) => Math.max(place - 1, 0);
