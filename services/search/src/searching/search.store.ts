// Reads the index and ranks files. One statement reads what is scored, a second one the texts of the results. They run without a
// transaction, whose two round trips would be half the cost of a short search. If the second statement does not find a file, or if the
// search needs more statements, it is repeated in a transaction with one snapshot.
import { Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { QueryTerm } from '../analysis/domain/analyzer.js';
import { weighTerms, type RankingWeights } from './domain/bm25.js';
import { PostingScorer } from './domain/score-postings.js';
import type { TopFiles } from './domain/top-files.js';
import { numberArray } from '../array-literal.js';
import { IndexReader } from './index-reader.js';
import { readFound, readFurther, readIndex, type IndexRow } from './rank.statements.js';

export interface RankedFile {
  fileId: string;
  score: number;
  /** The text of the best chunk. Empty when the file has no chunks. */
  body: string;
}

export interface Ranking {
  files: RankedFile[];
  /** How many files match, including those beyond the limit. */
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
  query: readonly QueryTerm[];
  facets: readonly string[];
  /** The terms of the query, followed by the facets. */
  terms: readonly string[];
  limit: number;
  bounds: StatementBounds;
}

/** The longest time for which a search blocks the event loop. */
const SLICE_MS = 5;

@Injectable()
export class SearchStore {
  bounds: StatementBounds = { numbers: 262_144, furtherPostings: 1_048_576 };

  constructor(private readonly database: Database) {}

  /** Returns the best `limit` files that have all of `facets`. */
  async rank(
    tenantId: string,
    query: readonly QueryTerm[],
    facets: readonly string[],
    limit: number,
  ): Promise<Ranking> {
    const terms = [...query.map(({ term }) => term), ...facets];
    const search = { tenantId, query, facets, terms, limit, bounds: this.bounds };
    const ranking = await this.rankWithoutTransaction(search);
    return ranking ?? this.database.transaction((snapshot) => rankInSnapshot(snapshot, search), { snapshot: true });
  }

  /** Returns null when one statement cannot read everything, or when a result was deleted or replaced before its text was read. */
  private async rankWithoutTransaction(search: Search): Promise<Ranking | null> {
    const reader = await readFirst(this.database, search, 0);
    if (!reader.complete) return null;
    const { scorer, weights } = scorerOf(search, reader);
    const top = await scoreRest(reader, scorer);
    const files = await readFiles(this.database, search.tenantId, reader, top);
    return files && { files, total: top.total, weights, unmerged: unmergedIn(reader) };
  }
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
  const files = await readFiles(snapshot, tenantId, reader, top);
  if (!files) throw new Error('The index contains passages that belong to no file.');
  return { files, total: top.total, weights, unmerged: unmergedIn(reader) };
}

/** Reads everything, or, when that is too much, the passages below number `end`. */
async function readFirst(database: Queryable, search: Search, end: number): Promise<IndexReader> {
  const { tenantId, terms, bounds } = search;
  const reader = new IndexReader(terms);
  const values = [tenantId, terms, bounds.numbers, bounds.furtherPostings, end];
  reader.readFirst(await database.query<IndexRow>(readIndex, values));
  return reader;
}

function scorerOf({ query, limit }: Search, reader: IndexReader) {
  const weights = weighTerms(query, reader.passages, reader.totals);
  const scorer = new PostingScorer({
    terms: reader.cursors.slice(0, query.length),
    facets: reader.cursors.slice(query.length),
    removed: reader.removed,
    weights,
    limit,
  });
  return { scorer, weights };
}

const unmergedIn = ({ tailPassages, removedNumbers }: IndexReader) => Math.max(tailPassages, removedNumbers);

/** Scores what was read and is not scored yet, and the tail. */
async function scoreRest(reader: IndexReader, scorer: PostingScorer): Promise<TopFiles> {
  reader.appendTail();
  await scoreBelow(scorer, Number.POSITIVE_INFINITY);
  return scorer.finish();
}

async function scoreBelow(scorer: PostingScorer, end: number): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  while (scorer.scoreWindow(end)) {
    if (performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Returns null when the scored version of a file is no longer the current one. */
async function readFiles(
  database: Queryable,
  tenantId: string,
  reader: IndexReader,
  { files }: TopFiles,
): Promise<RankedFile[] | null> {
  if (files.length === 0) return [];
  const inTail = files.map(({ first }) => reader.tailFiles.get(first));
  const rows = await database.query<{ file_id: string | null; body: string }>(readFound, [
    tenantId,
    numberArray(files.map(({ first }, position) => (inTail[position] ? null : first))),
    inTail.map((file) => file?.fileId ?? null),
    numberArray(inTail.map((file) => file?.jobNumber ?? null)),
    numberArray(inTail.map((file) => file?.fence ?? null)),
    numberArray(files.map(({ place }) => Math.max(place - 1, 0))),
  ]);
  const found: RankedFile[] = [];
  for (const [position, { file_id: fileId, body }] of rows.entries()) {
    if (fileId === null) return null;
    found.push({ fileId, score: files[position]?.score ?? 0, body });
  }
  return found;
}
