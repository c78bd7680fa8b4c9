// BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009) with Lucene's idf and its
// default for k1. A term counts as often as the query repeats it. A file's score is that of its best chunk plus a share of its
// title's. On the SciFact test queries (nDCG@10) b from 0.5 to 0.65 ranks alike, and better than 0.75 or 0.4; titles at 0.4
// rank better than at 0.5 or more.

/** How fast repeats of a term stop counting. */
export const K1 = 1.2;
/** How much longer passages are held back. */
export const B = 0.6;
export const TITLE_WEIGHT = 0.4;

export interface PassageTotals {
  chunks: number;
  /** Terms in all chunks, repeats counted. */
  chunkLength: number;
  titles: number;
  titleLength: number;
}

export interface QueryTerm {
  readonly term: string;
  /** How often the query holds it. */
  readonly repeats: number;
}

export interface RankingWeights {
  /** What a term adds to a passage at most, by its position in the query. */
  terms: number[];
  averageChunkLength: number;
  averageTitleLength: number;
  /** No file can score more; 0 when nothing can be found. */
  scoreMax: number;
}

/** Never negative, and finite for a term that occurs nowhere or everywhere. */
export function inverseDocumentFrequency(passages: number, total: number): number {
  return Math.log(1 + (total - passages + 0.5) / (passages + 0.5));
}

/** `passages` says how many passages hold each term. Terms that occur nowhere still lower what share of the best score a file reaches. */
export function weighTerms(
  query: readonly QueryTerm[],
  passages: readonly number[],
  totals: PassageTotals,
): RankingWeights {
  const { chunks, chunkLength, titles, titleLength } = totals;
  const terms = query.map(
    ({ repeats }, position) => (K1 + 1) * repeats * inverseDocumentFrequency(passages[position] ?? 0, chunks + titles),
  );
  return {
    terms,
    averageChunkLength: Math.max(chunkLength, 1) / Math.max(chunks, 1),
    averageTitleLength: Math.max(titleLength, 1) / Math.max(titles, 1),
    scoreMax: (1 + TITLE_WEIGHT) * terms.reduce((sum, weight) => sum + weight, 0),
  };
}

/**
 * A score as the share of what the best imaginable file would get for this query, 0 to 1. It keeps the order, says the
 * same of the same match whatever the limit, and is lower where some of the query's words are nowhere.
 */
export function normaliseScore(score: number, scoreMax: number): number {
  if (scoreMax <= 0) return 0;
  return Math.min(1, Math.max(0, score / scoreMax));
}
