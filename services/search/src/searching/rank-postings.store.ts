// One search of the index: reads postings, scores them, and reads the texts of the best files.
import type { TextLanguage } from '@kiln/contracts';
import type { Queryable } from '@kiln/platform';
import { numberArray } from '../array-literal.rows.js';
import { checkPhrases, type CheckBounds } from './check-phrases.store.js';
import { weighTerms, type RankingWeights } from './domain/bm25.js';
import { ClauseFilter } from './domain/clause-filter.js';
import { ClausePostings } from './domain/clause-postings.js';
import { PostingScorer } from './domain/score-postings.js';
import { indexTermsOf, type SearchQuery } from './domain/search-query.js';
import type { ScoredFile, TopFiles } from './domain/top-files.js';
import { IndexReader, keysOf } from './index-reader.store.js';
import { readFound, readFurther, readIndex, type IndexRow } from './rank.statements.js';
import { EventLoopBudget } from './domain/event-loop-budget.js';

export interface RankedFile {
  fileId: string;
  language: TextLanguage;
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
  /** The query in the languages of the tenant's files. */
  query: SearchQuery;
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

export interface Search {
  tenantId: string;
  query: SearchQuery;
  facets: readonly string[];
  /** The terms of the query, followed by the facets and by terms that only exclude. */
  terms: readonly string[];
  /** For each clause and language, the positions of its terms among these. */
  clausePositions: readonly (readonly (readonly number[])[])[];
  languages: readonly TextLanguage[];
  limit: number;
  bounds: StatementBounds;
  checkBounds: CheckBounds;
}

interface FoundRow {
  file_id: string | null;
  language: TextLanguage | null;
  body: string;
}

/** The query was not analyzed in all languages of the tenant's files. */
export class FurtherLanguages extends Error {
  constructor(readonly languages: readonly TextLanguage[]) {
    super('The tenant has files of further languages.');
  }
}

/** The terms that the index must be asked for. */
export function termsOf(query: SearchQuery, facets: readonly string[]) {
  const all = [...indexTermsOf(query), ...facets];
  const positions = new Map<string, number>();
  if (query.clauses.length > 0) for (const [position, term] of all.entries()) positions.set(term, position);
  const positionOf = (term: string) => {
    const known = positions.get(term);
    if (known !== undefined) return known;
    positions.set(term, all.length);
    return all.push(term) - 1;
  };
  const clausePositions = query.clauses.map(({ variants }) => variants.map(({ terms }) => terms.map(positionOf)));
  return { terms: all, clausePositions };
}

/** Returns null when one statement cannot read everything, or when a result was deleted or replaced before its text was read. */
export async function rankByOneStatement(database: Queryable, search: Search): Promise<Ranking | null> {
  const reader = await readFirst(database, search, 0);
  if (!reader.complete) return null;
  const { scorer, weights } = scorerOf(search, reader);
  const top = await scoreRest(reader, scorer);
  const found = await readFiles(database, search, reader, top);
  return found && { ...found, query: search.query, weights, unmerged: unmergedIn(reader) };
}

export async function rankInSnapshot(snapshot: Queryable, search: Search): Promise<Ranking> {
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
  return { ...found, query: search.query, weights, unmerged: unmergedIn(reader) };
}

/** Reads everything, or, when that is too much, the passages below number `end`. Throws FurtherLanguages. */
async function readFirst(database: Queryable, search: Search, end: number): Promise<IndexReader> {
  const { tenantId, terms, clausePositions, bounds } = search;
  const reader = new IndexReader(terms, clausePositions);
  const values = [tenantId, terms, bounds.numbers, bounds.furtherPostings, end];
  reader.readFirst(await database.query<IndexRow>(readIndex, values));
  const isFurther = (language: TextLanguage) => !search.languages.includes(language);
  if (reader.languages.some(isFurther)) throw new FurtherLanguages(reader.languages);
  return reader;
}

function scorerOf(search: Search, reader: IndexReader) {
  const { checkBounds } = search;
  const { terms, clauses } = search.query;
  const postings = reader.groupCursors.map((variants) => new ClausePostings(variants));
  const weights = weighTerms(search.query, reader.passages, reader.totals);
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
  const budget = new EventLoopBudget();
  while (scorer.scoreWindow(end)) if (budget.isSpent) await budget.renew();
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
  const rows = await database.query<FoundRow>(readFound, [
    tenantId,
    ...keysOf(reader, files),
    numberArray(files.map(chunkOf)),
  ]);
  const found: RankedFile[] = [];
  for (const [position, { file_id: fileId, language, body }] of rows.entries()) {
    if (fileId === null || language === null) return null;
    const file = files[position] as ScoredFile;
    found.push({ fileId, language, score: file.score, chunk: chunkOf(file), body });
  }
  return { files: found, total };
}

/** Place 0 is the title. */
const chunkOf = ({ place }: ScoredFile) => Math.max(place - 1, 0);
