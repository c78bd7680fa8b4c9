// Reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
// SIGIR 2009): a file's score is the sum of weight / (60 + rank) over the rankings that contain it.

export const RANK_CONSTANT = 60;
/** See docs/decisions/search.md for the measurements behind the weights. */
export const TEXT_WEIGHT = 1;
export const VECTOR_WEIGHT = 0.8;

export interface Fused<Text, Vector> {
  fileId: string;
  /** From 0 to 1: 1 for a file that is first in both rankings. */
  score: number;
  /** Null when the ranking does not contain the file. At least one is not null. */
  text: Text | null;
  vector: Vector | null;
}

interface Ranked {
  fileId: string;
}

/** Returns the best first. Of two files with equal scores, the one that text finds comes first. */
export function fuseRankings<Text extends Ranked, Vector extends Ranked>(
  texts: readonly Text[],
  vectors: readonly Vector[],
  vectorWeight = VECTOR_WEIGHT,
): Fused<Text, Vector>[] {
  const fused = new Map<string, Fused<Text, Vector>>();
  const highest = (TEXT_WEIGHT + vectorWeight) / (RANK_CONSTANT + 1);
  const share = (weight: number, rank: number) => weight / (RANK_CONSTANT + rank + 1) / highest;
  for (const [rank, text] of texts.entries()) {
    fused.set(text.fileId, { fileId: text.fileId, score: share(TEXT_WEIGHT, rank), text, vector: null });
  }
  for (const [rank, vector] of vectors.entries()) {
    const { fileId } = vector;
    const known = fused.get(fileId) ?? { fileId, score: 0, text: null, vector: null };
    fused.set(fileId, { ...known, score: Math.min(1, known.score + share(vectorWeight, rank)), vector });
  }
  return [...fused.values()].sort((left, right) => right.score - left.score);
}
