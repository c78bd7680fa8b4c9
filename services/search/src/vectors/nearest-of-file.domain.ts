// Compares the vectors of a file with a query, one by one.
import type { FileChange } from './changes.domain.js';
import { codedBytes, dotProductWithCode } from './vector-codes.domain.js';
import type { VectorHit, VectorQuery } from './vector-index.port.js';

/** The nearest vectors, the best first: one, or as many as the query wants. */
export function nearestOfFile(
  { fileId, jobNumber, fence, parts }: FileChange,
  dimensions: number,
  query: VectorQuery,
): VectorHit[] {
  const bytes = codedBytes(dimensions);
  const hits = parts.flatMap(({ firstIndex, codes }) =>
    Array.from({ length: codes.length / bytes }, (_, at): VectorHit => {
      const score = dotProductWithCode(query.vector, codes.subarray(at * bytes, (at + 1) * bytes));
      return { fileId, jobNumber, fence, index: firstIndex + at, score };
    }),
  );
  return hits.sort((left, right) => right.score - left.score).slice(0, query.of === 'file' ? 1 : query.limit);
}
