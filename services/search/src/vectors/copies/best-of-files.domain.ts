// Finds the best chunk of each file in a copy that returns the best chunks.
import type { VectorHit } from '../vector-index.port.js';

/** Several of the best chunks can belong to one file. */
const CHUNKS_PER_FILE = 4;
const GROWTH = 4;
const CHUNKS_MAX = 4_000;

/** Finds the nearest chunks of a copy, so many at most. */
export type ReadNearest = (chunks: number) => Promise<VectorHit[]>;

/** Reads more chunks until they belong to enough files. */
export async function bestOfFiles(read: ReadNearest, limit: number): Promise<VectorHit[]> {
  for (let chunks = limit * CHUNKS_PER_FILE; ; chunks *= GROWTH) {
    const rows = byScore(await read(chunks));
    const best = [...new Map(rows.toReversed().map((row) => [row.fileId, row])).values()];
    if (best.length >= limit || rows.length < chunks || chunks >= CHUNKS_MAX) return byScore(best).slice(0, limit);
  }
}

export const byScore = (hits: readonly VectorHit[]): VectorHit[] =>
  hits.toSorted((left, right) => right.score - left.score);
