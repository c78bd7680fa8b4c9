// Reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
// SIGIR 2009): a file's score is the sum of weight / (60 + rank) over the rankings that contain it. Text has weight 1.
//
// The weight of the vectors depends on how far both rankings agree about the best files. A weak model agrees no more than chance would, and
// must not displace what text finds. docs/decisions/search.md has the measurements.

export const RANK_CONSTANT = 60;
/** This weight orders files that only vectors find after those that text finds. It is too low to change the order of text's first ten. */
const WEIGHT_MIN = 0.01;
/** From this agreement on, the weight is the highest. Rankings of good models share about half of their best files with text. */
const AGREEMENT_MAX = 0.5;
/** How steeply the weight falls below that agreement. */
const STEEPNESS = 5;
/** The agreement is computed over the first ten files, or in a small tenant over the first quarter. */
const COMPARED_MAX = 10;
const COMPARED_SHARE = 1 / 4;

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

export interface Fusion {
  /** How many files the vectors could find. */
  files: number;
  /** The weight of vectors that agree with text. 0 to 1. */
  vectorWeight: number;
}

/** Returns the best first. */
export function fuseRankings<Text extends Ranked, Vector extends Ranked>(
  texts: readonly Text[],
  vectors: readonly Vector[],
  { files, vectorWeight: weightMax }: Fusion,
): Fused<Text, Vector>[] {
  const vectorWeight = weightOf(agreementOf(texts, vectors, files), weightMax);
  const fused = new Map<string, Fused<Text, Vector>>();
  const highest = (1 + vectorWeight) / (RANK_CONSTANT + 1);
  const share = (weight: number, rank: number) => weight / (RANK_CONSTANT + rank + 1) / highest;
  for (const [rank, text] of texts.entries()) {
    fused.set(text.fileId, { fileId: text.fileId, score: share(1, rank), text, vector: null });
  }
  for (const [rank, vector] of vectors.entries()) {
    const { fileId } = vector;
    const known = fused.get(fileId) ?? { fileId, score: 0, text: null, vector: null };
    fused.set(fileId, { ...known, score: Math.min(1, known.score + share(vectorWeight, rank)), vector });
  }
  return [...fused.values()].sort((left, right) => right.score - left.score);
}

/** The share of text's best files that are also among the vectors' best, beyond what chance gives: from 0 to 1. */
function agreementOf(texts: readonly Ranked[], vectors: readonly Ranked[], files: number): number {
  const compared = Math.min(COMPARED_MAX, Math.max(1, Math.round(files * COMPARED_SHARE)));
  const byText = texts.slice(0, compared);
  if (byText.length === 0) return 1;
  if (files <= compared) return 0;
  const byVector = new Set(vectors.slice(0, compared).map(({ fileId }) => fileId));
  const both = byText.filter(({ fileId }) => byVector.has(fileId)).length;
  const chance = compared / files;
  return Math.max(0, (both / byText.length - chance) / (1 - chance));
}

const weightOf = (agreement: number, weightMax: number): number =>
  Math.max(WEIGHT_MIN, weightMax * Math.min(1, agreement / AGREEMENT_MAX) ** STEEPNESS);
