// BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009) with Lucene's idf and Lucene's default for
// k1. A term counts as often as the query repeats it. The score of a file is the score of its best chunk plus a share of the score of its
// title. On the SciFact test queries (nDCG@10), b between 0.5 and 0.65 gives equal results, better than 0.4 or 0.75, and a title weight of
// 0.4 gives better results than 0.5 or more.

import type { SearchQuery } from './search-query.js';

/** Term frequency saturation: how quickly further repeats of a term add less. */
export const K1 = 1.2;
/** Length normalization: how much long passages are penalized. */
export const B = 0.6;
export const TITLE_WEIGHT = 0.4;

/** Passages that have terms, and the count of these terms, repeats included. */
export interface PassageTotals {
  chunks: number;
  chunkLength: number;
  titles: number;
  titleLength: number;
}

export interface RankingWeights {
  /** The maximum that each term can add to the score of a passage, by its position in `SearchQuery.terms`. */
  terms: number[];
  /** How many passages contain the word of each term, in the same order. */
  frequencies: number[];
  /** How many passages the tenant has. */
  passages: number;
  averageChunkLength: number;
  averageTitleLength: number;
  /** The highest possible score of a file. 0 when nothing can be found. */
  scoreMax: number;
}

/**
 * Never negative, and finite even when no passage or every passage contains the term. `passages` may exceed `total` for a while: see
 * `RemoteIndex.frequencies`.
 */
export function inverseDocumentFrequency(passages: number, total: number): number {
  return Math.log(1 + (Math.max(total, passages) - passages + 0.5) / (passages + 0.5));
}

/**
 * `passages` has the number of passages that contain each term. The frequency of a word is the sum over its terms: a passage has one
 * language, and so at most one of them. A word that no passage contains still lowers normalized scores.
 */
export function weighTerms(
  { terms, words }: Pick<SearchQuery, 'terms' | 'words'>,
  passages: readonly number[],
  totals: PassageTotals,
): RankingWeights {
  const { chunks, chunkLength, titles, titleLength } = totals;
  const weights = terms.map(() => 0);
  const frequencies = terms.map(() => 0);
  let weightMax = 0;
  for (const { repeats, terms: positions } of words) {
    const frequency = positions.reduce((sum, position) => sum + (passages[position] ?? 0), 0);
    const weight = (K1 + 1) * repeats * inverseDocumentFrequency(frequency, chunks + titles);
    for (const position of positions) {
      weights[position] = (weights[position] ?? 0) + weight;
      frequencies[position] = frequency;
    }
    weightMax += weight;
  }
  return {
    terms: weights,
    frequencies,
    passages: chunks + titles,
    averageChunkLength: Math.max(chunkLength, 1) / Math.max(chunks, 1),
    averageTitleLength: Math.max(titleLength, 1) / Math.max(titles, 1),
    scoreMax: (1 + TITLE_WEIGHT) * weightMax,
  };
}

/**
 * The score as a share of the highest possible score for this query, from 0 to 1. The share preserves the order and does not depend on the
 * limit. It is lower when no passage contains some of the query's words.
 */
export function normaliseScore(score: number, scoreMax: number): number {
  if (scoreMax <= 0) return 0;
  return Math.min(1, Math.max(0, score / scoreMax));
}
