// Reads the index and ranks. The whole of one search sees one snapshot of the database.
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { weighTerms, type QueryTerm, type RankingWeights } from '../domain/bm25.js';
import { PostingScorer } from '../domain/score-postings.js';
import type { TopFiles } from '../domain/top-files.js';
import { IndexReader } from './index-reader.js';
import { readFound, readFurther, readIndex, type IndexRow } from './rank.statements.js';

export interface RankedFile {
  fileId: string;
  score: number;
  /** The best chunk's text; empty for a file without any. */
  body: string;
}

export interface Ranking {
  files: RankedFile[];
  /** How many files match, beyond the limit too. */
  total: number;
  weights: RankingWeights;
  /** What a merge would make shorter: passages in the tail, removed numbers that are in no window yet. */
  waiting: number;
}

/** Numbers that one statement reads: it bounds the memory of a search. */
const NUMBERS_PER_STATEMENT = 262_144;
/** Longest time for which a search keeps its process from other work. */
const SLICE_MS = 5;

@Injectable()
export class SearchStore {
  constructor(private readonly database: Database) {}

  /** The best `limit` files of those that have all of `facets`. */
  rank(tenantId: string, query: readonly QueryTerm[], facets: readonly string[], limit: number): Promise<Ranking> {
    const terms = [...query.map(({ term }) => term), ...facets];
    const work = async (transaction: Transaction): Promise<Ranking> => {
      const reader = new IndexReader(terms);
      reader.readFirst(await transaction.query<IndexRow>(readIndex, [tenantId, terms, NUMBERS_PER_STATEMENT]));
      const weights = weighTerms(query, reader.passages, reader.totals);
      const scorer = new PostingScorer({
        terms: reader.cursors.slice(0, query.length),
        facets: reader.cursors.slice(query.length),
        removed: reader.removed,
        weights,
        limit,
      });
      const top = await scoreAll(transaction, tenantId, terms, reader, scorer);
      const files = await readFiles(transaction, tenantId, reader, top);
      return { files, total: top.total, weights, waiting: Math.max(reader.tailPassages, reader.removedNumbers) };
    };
    return this.database.transaction(work, { snapshot: true, planOnce: true });
  }
}

async function scoreAll(
  transaction: Transaction,
  tenantId: string,
  terms: readonly string[],
  reader: IndexReader,
  scorer: PostingScorer,
): Promise<TopFiles> {
  for (let end = NUMBERS_PER_STATEMENT; end < reader.nextNumber; end += NUMBERS_PER_STATEMENT) {
    await scoreBelow(scorer, end);
    const range = [end, end + NUMBERS_PER_STATEMENT];
    reader.readFurther(await transaction.query<IndexRow>(readFurther, [tenantId, terms, ...range]));
  }
  reader.appendTail();
  await scoreBelow(scorer, Number.POSITIVE_INFINITY);
  return scorer.finish();
}

async function scoreBelow(scorer: PostingScorer, end: number): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  while (scorer.scoreWindow(end)) {
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

async function readFiles(
  transaction: Transaction,
  tenantId: string,
  reader: IndexReader,
  { files }: TopFiles,
): Promise<RankedFile[]> {
  if (files.length === 0) return [];
  const inTail = files.map(({ first }) => reader.tailFiles.get(first) ?? null);
  const rows = await transaction.query<{ file_id: string | null; body: string }>(readFound, [
    tenantId,
    files.map(({ first }, position) => (inTail[position] === null ? first : null)),
    inTail,
    files.map(({ place }) => Math.max(place - 1, 0)),
  ]);
  return rows.map(({ file_id: fileId, body }, position) => {
    const { score, first } = files[position] ?? { score: 0, first: -1 };
    if (fileId === null) throw new Error(`the index has passages of no file from number ${first} on`);
    return { fileId, score, body };
  });
}
