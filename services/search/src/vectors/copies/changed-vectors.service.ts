// The vectors that a copy lacks yet, compared one by one, so that a search finds a file as soon as it is written.
import { EventLoopBudget } from '@kiln/platform';
import { nearestOfFile } from '../nearest-of-file.domain.js';
import type { Changes, FileChange } from '../changes.domain.js';
import type { VectorHit, VectorQuery } from '../vector-index.port.js';

/** More batches than these take longer than the copy takes to catch up. A batch has up to 4 MiB. */
const BATCHES_MAX = 4;

export interface ChangedVectors {
  /** The files that the copy has in another version, or not at all. */
  fileIds: string[];
  /** The nearest vectors of these files that pass the filter, the best first. */
  hits: VectorHit[];
}

/** Reads the batches one after the other. Returns null if there are too many, or if the copy has to be emptied first. */
export async function scanChanges(
  batches: AsyncIterable<Changes>,
  dimensions: number,
  query: VectorQuery,
): Promise<ChangedVectors | null> {
  const hitsOf = new Map<string, VectorHit[]>();
  const budget = new EventLoopBudget();
  let read = 0;
  for await (const { isReset, files } of batches) {
    if (isReset || read === BATCHES_MAX) return null;
    read++;
    for (const file of files) {
      hitsOf.set(file.fileId, passes(file, query) ? nearestOfFile(file, dimensions, query) : []);
      if (budget.isSpent) await budget.renew();
    }
  }
  const hits = [...hitsOf.values()].flat().sort((left, right) => right.score - left.score);
  return { fileIds: [...hitsOf.keys()], hits: hits.slice(0, query.limit) };
}

const passes = ({ facets }: FileChange, query: VectorQuery) => query.facets.every((facet) => facets.includes(facet));
