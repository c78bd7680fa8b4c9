// The vectors of a file that searches use, to keep them when its index is made again.
import { unavailable } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { RunOrder } from '../indexing/run.domain.js';
import type { Embedding } from '../text-index/indexed-text.domain.js';
import { vectorBytes } from './vector-codes.domain.js';

/** $1 tenant, $2 file, $3 number of the job, $4 the highest fence. */
const readServed = statement(
  'search.read_served_vectors',
  `select model, dimensions, vectors from vector_files
    where tenant_id = $1 and file_id = $2 and vectors > 0 and job_number = $3 and fence <= $4`,
);

/**
 * A keyset page of the vectors of one model. Vectors of the same length can be of another model, if a switch has replaced them since
 * `readServed`. $1 tenant, $2 file, $3 the first index of the last part, $4 model, $5 dimensions.
 */
const readParts = statement(
  'search.read_vector_parts',
  `select first_index, vectors from vector_parts
    where tenant_id = $1 and file_id = $2 and first_index > $3
      and exists (select from vector_files where tenant_id = $1 and file_id = $2 and model = $4 and dimensions = $5)
    order by first_index limit 8`,
);

export interface ServedVectors extends Embedding {
  count: number;
  /** Of each chunk, in order, as base64 of Float32, little-endian. Throws UNAVAILABLE if others have replaced them. */
  vectors(): AsyncIterable<string>;
}

@Injectable()
export class ServedVectorsStore {
  constructor(private readonly database: Database) {}

  /** Null when this run has written none. */
  async find(tenantId: string, fileId: string, { jobNumber, fence }: RunOrder): Promise<ServedVectors | null> {
    const values = [tenantId, fileId, jobNumber, fence];
    const [row] = await this.database.query<Embedding & { vectors: number }>(readServed, values);
    if (!row) return null;
    const { model, dimensions, vectors: count } = row;
    const served = { model, dimensions, count };
    return { ...served, vectors: () => this.read(tenantId, fileId, served) };
  }

  private async *read(
    tenantId: string,
    fileId: string,
    { model, dimensions, count }: Omit<ServedVectors, 'vectors'>,
  ): AsyncGenerator<string> {
    const bytes = vectorBytes(dimensions);
    for (let last = -1, left = count; left > 0;) {
      const values = [tenantId, fileId, last, model, dimensions];
      const parts = await this.database.query<{ first_index: number; vectors: Buffer }>(readParts, values);
      if (parts.length === 0) throw unavailable('The vectors of the file');
      for (const { vectors } of parts)
        for (let at = 0; at < vectors.length; at += bytes, left--) yield vectors.toString('base64', at, at + bytes);
      last = parts.at(-1)?.first_index ?? last;
    }
  }
}
