// Writes the vectors of files as the search service does.
import type { ChunkLine } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { facetsOf } from '@kiln/search/postings/domain/facet';
import { insertVectors, recordFiles } from '@kiln/search/vectors/write-vectors.store';
import { CHUNKS_PER_FILE } from './generated-files.js';

export const MODEL = 'bench';
export const FILES_PER_WRITE = 100;

export interface VectorsOfTenant {
  tenantId: string;
  ids: readonly string[];
  spaces: readonly string[];
  /** One after the other, `CHUNKS_PER_FILE` for each file. */
  vectors: Float32Array;
  dimensions: number;
}

/** Writes the next `FILES_PER_WRITE` files. */
export function writeVectors(
  database: Database,
  { tenantId, ids, spaces, vectors, dimensions }: VectorsOfTenant,
  from: number,
): Promise<void> {
  const files = ids.slice(from, from + FILES_PER_WRITE).map((fileId, position) => ({
    fileId,
    embedding: { model: MODEL, dimensions },
    run: { jobNumber: 1, fence: 1 },
    facets: facetsOf({ space: spaces[from + position] ?? '', contentType: null, metadata: {} }),
    chunks: Array.from({ length: CHUNKS_PER_FILE }, (_, index): ChunkLine => {
      const at = ((from + position) * CHUNKS_PER_FILE + index) * dimensions;
      const bytes = Buffer.from(vectors.slice(at, at + dimensions).buffer);
      return { index, text: '', start: 0, end: 0, page: null, heading_path: [], vector: bytes.toString('base64') };
    }),
  }));
  return database.transaction(async (transaction) => {
    await insertVectors(transaction, tenantId, files);
    await recordFiles(
      transaction,
      tenantId,
      files.map((file) => ({ ...file, chunks: CHUNKS_PER_FILE })),
    );
  });
}
