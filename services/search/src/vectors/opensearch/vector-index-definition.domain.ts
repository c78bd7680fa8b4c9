// The index of vectors of one length in OpenSearch, by its k-NN plugin (https://docs.opensearch.org/latest/vector-search/). A document is a chunk.
import {
  storedNumber,
  versionedDefinition,
  type VersionedDocument,
} from '../../opensearch/versioned-document.domain.js';
import { SCALE_BYTES, codedBytes } from '../vector-codes.domain.js';
import type { FileChange } from '../changes.domain.js';
import type { VectorHit } from '../vector-index.port.js';

/** Limit of Lucene's graphs in the plugin. */
export const DIMENSIONS_MAX = 16_000;
const CODE_MAX = 127;

/** Vectors are those of the codes: one byte for each number. Exact vectors decide the order of results. */
export const vectorIndexDefinition = (dimensions: number, shards: number, replicas: number) =>
  versionedDefinition({
    shards,
    replicas,
    index: { knn: true, 'knn.derived_source.enabled': false },
    properties: {
      tenant: { type: 'keyword' },
      copy: { type: 'long' },
      file: { type: 'keyword' },
      generation: { type: 'long' },
      job_number: storedNumber('long'),
      fence: storedNumber('long'),
      place: storedNumber('integer'),
      facets: { type: 'keyword', doc_values: false },
      vector: {
        type: 'knn_vector',
        dimension: dimensions,
        data_type: 'byte',
        space_type: 'cosinesimil',
        method: { name: 'hnsw', engine: 'lucene' },
      },
    },
  });

/** The copy to which documents belong. */
export interface CopyKey {
  tenantId: string;
  number: number;
}

/** The documents of files. A vector of zeros has no direction, so it is near to nothing and has no document. */
export function* documentsOf(
  { tenantId, number }: CopyKey,
  files: readonly FileChange[],
  dimensions: number,
): Generator<VersionedDocument> {
  const bytes = codedBytes(dimensions);
  for (const { fileId, jobNumber, fence, generation, facets, parts } of files) {
    const file = { tenant: tenantId, copy: number, file: fileId, generation, job_number: jobNumber, fence, facets };
    for (const { firstIndex, codes } of parts) {
      for (let at = 0; at < codes.length; at += bytes) {
        const vector = new Int8Array(codes.buffer, codes.byteOffset + at + SCALE_BYTES, dimensions);
        if (vector.every((value) => value === 0)) continue;
        const place = firstIndex + at / bytes;
        yield {
          id: `${number}.${fileId}.${place}`,
          revision: generation,
          source: { ...file, place, vector: [...vector] },
        };
      }
    }
  }
}

const term = (field: string, value: unknown) => ({ term: { [field]: value } });
const ofCopy = ({ tenantId, number }: CopyKey) => [term('tenant', tenantId), term('copy', number)];

/** Finds the documents of former versions of files, whose chunks can be more than those of the current one. */
export const formerQuery = (key: CopyKey, files: readonly FileChange[], size: number) => ({
  size,
  _source: false,
  docvalue_fields: ['file'],
  query: {
    bool: {
      filter: [
        ...ofCopy(key),
        {
          bool: {
            should: files.map(({ fileId, generation }) => ({
              bool: { filter: [term('file', fileId), { range: { generation: { lt: generation } } }] },
            })),
          },
        },
      ],
    },
  },
});

/** Finds all documents of a copy. */
export const copyQuery = (key: CopyKey) => ({ query: { bool: { filter: ofCopy(key) } } });

interface NearestQuery {
  vector: Float32Array;
  facets: readonly string[];
  leftOut: readonly string[];
  chunks: number;
  /** How many vectors the set has. Null: all that pass the filter are compared, without a graph. */
  vectors: number | null;
}

const CANDIDATES = { min: 200, max: 1_000 };

/** The size of the candidate list of a search in a graph. In a larger graph, a search with the same list finds fewer of the nearest vectors. */
const candidatesFor = (vectors: number, chunks: number) =>
  Math.max(chunks, Math.min(CANDIDATES.max, Math.max(CANDIDATES.min, Math.round(Math.sqrt(vectors)))));

/** The most that one request returns, by OpenSearch's default. */
export const CHUNKS_PER_REQUEST_MAX = 10_000;

export function nearestQuery(key: CopyKey, query: NearestQuery) {
  const { vector, facets, leftOut, chunks, vectors } = query;
  const filter = {
    bool: {
      filter: [...ofCopy(key), ...facets.map((facet) => term('facets', facet))],
      must_not: leftOut.length === 0 ? [] : [{ terms: { file: leftOut } }],
    },
  };
  const code = codeOf(vector);
  const inGraph = (ef_search: number) => ({
    knn: { vector: { vector: code, k: chunks, method_parameters: { ef_search }, filter } },
  });
  return {
    size: chunks,
    _source: false,
    docvalue_fields: ['file', 'job_number', 'fence', 'place'],
    track_total_hits: false,
    query:
      vectors === null
        ? { script_score: { query: filter, script: scriptOf(code), boost: 0.5 } }
        : inGraph(candidatesFor(vectors, chunks)),
  };
}

/** Its score is the cosine and 1. With the boost it is that of a graph. */
const scriptOf = (code: readonly number[]) => ({
  source: 'knn_score',
  lang: 'knn',
  params: { field: 'vector', query_value: code, space_type: 'cosinesimil' },
});

/** The query with one byte for each number, as the stored vectors. */
function codeOf(vector: Float32Array): number[] {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return Array.from(vector, (value) => Math.round((value / largest) * CODE_MAX));
}

export interface FoundVector {
  _id: string;
  _score: number | null;
  fields: Record<string, readonly unknown[]>;
}

/** The score is half of the sum of the cosine and 1. */
export function hitOf({ _score: score, fields }: FoundVector): VectorHit {
  const number = (name: string) => Number(fields[name]?.[0]);
  return {
    fileId: String(fields['file']?.[0]),
    jobNumber: number('job_number'),
    fence: number('fence'),
    index: number('place'),
    score: 2 * (score ?? 0.5) - 1,
  };
}
