// The baseline of searches by vector: an exact scan over Float32 in the process. As an index, it takes the place of Kiln's, so that both searches
// do the same work around it.
import { facetsOfFilter } from '@kiln/search/postings/domain/facet';
import type { VectorHit, VectorHits, VectorIndex, VectorQuery } from '@kiln/search/vectors/vector-index.port';
import { CHUNKS_PER_FILE } from './generated-files.js';

export interface ScannedVectors {
  /** The vectors one after the other, each of length 1. */
  readonly vectors: Float32Array;
  readonly ids: readonly string[];
  readonly spaces: readonly string[];
}

export class ExactScan implements VectorIndex {
  constructor(private readonly scanned: ScannedVectors) {}

  search(_set: unknown, { vector, facets, limit, of }: VectorQuery): Promise<VectorHits> {
    const { vectors, ids, spaces } = this.scanned;
    const dimensions = vector.length;
    const best: VectorHit[] = [];
    let files = 0;
    for (const [file, fileId] of ids.entries()) {
      if (facets.length > 0 && facetsOf(spaces[file] ?? '') !== facets.join()) continue;
      files++;
      let bestOfFile: VectorHit | null = null;
      for (let index = 0; index < CHUNKS_PER_FILE; index++) {
        const from = (file * CHUNKS_PER_FILE + index) * dimensions;
        let score = 0;
        for (let place = 0; place < dimensions; place++) score += (vectors[from + place] ?? 0) * (vector[place] ?? 0);
        const hit = { fileId, jobNumber: 1, fence: 1, index, score };
        if (of === 'chunk') keep(best, hit, limit);
        else if (bestOfFile === null || score > bestOfFile.score) bestOfFile = hit;
      }
      if (bestOfFile !== null) keep(best, bestOfFile, limit);
    }
    return Promise.resolve({ hits: best, files });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const facetsBySpace = new Map<string, string>();

function facetsOf(space: string): string {
  const known = facetsBySpace.get(space);
  if (known !== undefined) return known;
  const facets = facetsOfFilter({ space }).join();
  facetsBySpace.set(space, facets);
  return facets;
}

function keep(best: VectorHit[], hit: VectorHit, limit: number): void {
  if (best.length === limit && hit.score <= (best.at(-1)?.score ?? 0)) return;
  best.splice(best.findLastIndex(({ score }) => score >= hit.score) + 1, 0, hit);
  if (best.length > limit) best.pop();
}
