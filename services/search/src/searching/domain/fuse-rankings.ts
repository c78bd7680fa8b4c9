// Fuses what words and vectors find by their scores. Ranks cannot do it: thirty files that hold only the common word of "vacation policy" are in
// both rankings, and would beat the one that means it.
//
// - The score of text is how much of the query it covers: a share of what the query could attain, by the rarity of all its words.
// - The score of meaning is how surprising the cosine is (vectors/cosine-scale.domain.ts): a half at six standard deviations above unrelated
//   chunks, and close to nothing at three. Models with few numbers, or without sense, surprise little, and so leave the order of text.
//
// docs/decisions/search.md has the measurements.

/** The best of some thousand unrelated chunks lies four standard deviations above the others. Good models place related ones beyond this. */
const SURPRISING = 6;

export interface Fused<Text, Vector> {
  /** From 0 to 1. */
  score: number;
  /** Null when the ranking does not contain the result. At least one is not null. */
  text: Text | null;
  vector: Vector | null;
}

/** From 0 to 1. */
const meaningScore = (deviation: number): number => 1 / (1 + Math.exp(SURPRISING - deviation));

/**
 * Returns the best first. The scores of texts are from 0 to 1. Deviations are in standard deviations above unrelated chunks. `vectorWeight` is
 * the share of meaning in the score, from 0 to 1. Results with the same key are one. Results with equal scores keep their order: results found
 * by text precede results found by meaning only.
 */
export function fuseRankings<Text extends { score: number }, Vector extends { deviation: number }>(
  texts: ReadonlyMap<string, Text>,
  vectors: ReadonlyMap<string, Vector>,
  vectorWeight: number,
): Fused<Text, Vector>[] {
  const fused: Fused<Text, Vector>[] = [];
  const add = (text: Text | null, vector: Vector | null) => {
    const meaning = vector === null ? 0 : meaningScore(vector.deviation);
    fused.push({ score: (1 - vectorWeight) * (text?.score ?? 0) + vectorWeight * meaning, text, vector });
  };
  for (const [key, text] of texts) add(text, vectors.get(key) ?? null);
  for (const [key, vector] of vectors) if (!texts.has(key)) add(null, vector);
  return fused.sort((left, right) => right.score - left.score);
}
