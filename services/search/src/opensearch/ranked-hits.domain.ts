// Reads what OpenSearch has found.
import type { ScoredChunk } from '../searching/domain/top-files.js';
import type { FileVersion } from '../text-index/indexed-text.domain.js';
import type { RemoteFile, RemoteRanking } from '../text-index/remote-index.port.js';
import { BEST_CHUNKS, clauseChunks, clauseTitle } from './queries.domain.js';

interface InnerHits {
  hits: { total: { value: number }; hits: { _score: number | null; fields: { 'chunks.place': [number] } }[] };
}

export interface Hit {
  _score: number | null;
  fields: { file: [string]; job_number: [number]; fence: [number] };
  matched_queries?: string[];
  inner_hits?: Record<string, InnerHits>;
}

export const versionOf = ({ fields: { file, job_number: jobNumber, fence } }: Hit): FileVersion => ({
  fileId: file[0],
  jobNumber: jobNumber[0],
  fence: fence[0],
});

export function rankedFile(hit: Hit, { clauses }: Pick<RemoteRanking, 'clauses'>): RemoteFile {
  const score = hit._score ?? 0;
  let truncated = false;
  const places = clauses.map(({ needsText, variants }, position) => {
    if (!needsText) return [];
    const found = variants.flatMap((_, variant) => {
      const inner = hit.inner_hits?.[clauseChunks(position, variant)];
      if (inner && inner.hits.total.value > inner.hits.hits.length) truncated = true;
      return placesOf(inner);
    });
    return hit.matched_queries?.includes(clauseTitle(position)) ? [0, ...found] : found;
  });
  return { version: versionOf(hit), score, chunks: chunksOf(hit, score), undecided: { places, truncated } };
}

const placesOf = (inner: InnerHits | undefined) =>
  inner?.hits.hits.map(({ fields }) => fields['chunks.place'][0]) ?? [];

/** The title counts for each chunk of its file. */
function chunksOf({ inner_hits: inner }: Hit, score: number): ScoredChunk[] {
  const best = inner?.[BEST_CHUNKS]?.hits.hits ?? [];
  const title = score - (best[0]?._score ?? 0);
  return best.map(({ _score, fields }) => ({ place: fields['chunks.place'][0], score: (_score ?? 0) + title }));
}
