// Writes vectors as the service does, and searches them in an index.
import type { ChunkLine } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { randomUUID } from 'node:crypto';
import type { VectorHits, VectorIndex, VectorQuery } from '../vectors/vector-index.port.js';
import { VectorSearch } from '../vectors/vector-search.service.js';
import { deleteVectors, insertVectors, recordFiles } from '../vectors/write-vectors.store.js';
import { encodeVector, KnownVectors } from './known-vectors.js';
import { contextOf } from './search-harness.js';

export const MODEL = 'small';

/** A file to write. Another fence than 1 replaces a version. */
export interface WrittenVectors {
  fileId?: string;
  fence?: number;
  facets?: string[];
}

export class VectorHarness {
  readonly logger = { info: () => {}, warn: () => {} };
  readonly vectors = new KnownVectors();

  constructor(readonly database: Database) {}

  /** Writes the vectors of a file as the service does, with the file's row, which shows its current run. Returns the file. */
  async write(tenantId: string, some: readonly number[][], more: WrittenVectors = {}): Promise<string> {
    const { fileId = randomUUID(), fence = 1, facets = [] } = more;
    const embedding = { model: MODEL, dimensions: some[0]?.length ?? 0 };
    const chunks = some.map((vectorOf, place): ChunkLine => {
      const line = { index: place, text: '', start: 0, end: 0, page: null, heading_path: [] };
      return { ...line, vector: encodeVector(vectorOf) };
    });
    await this.database.transaction(async (transaction) => {
      await transaction.query(
        {
          name: '',
          text: `insert into files (tenant_id, file_id, job_number, fence, language) values ($1, $2, 1, $3, 'english')
                 on conflict (tenant_id, file_id) do update set fence = excluded.fence`,
        },
        [tenantId, fileId, fence],
      );
      await deleteVectors(transaction, tenantId, fileId);
      await insertVectors(transaction, tenantId, chunks.length === 0 ? [] : [{ fileId, embedding, chunks }]);
      const run = { jobNumber: 1, fence };
      const written = { fileId, run, embedding: chunks.length === 0 ? null : embedding, facets, chunks: chunks.length };
      await recordFiles(transaction, tenantId, [written]);
    });
    return fileId;
  }

  searchBy(index: VectorIndex): VectorSearch {
    return new VectorSearch(this.database, index, this.vectors, this.logger);
  }

  /** Searches as the service does. */
  nearest(
    index: VectorIndex,
    tenantId: string,
    query: readonly number[],
    more: Partial<Pick<VectorQuery, 'facets' | 'of' | 'limit'> & { scores: 'exact' | 'approximate' }> = {},
  ): Promise<VectorHits> {
    const text = randomUUID();
    this.vectors.set(text, query);
    const request = { text, facets: [], limit: 10, of: 'chunk' as const, scores: 'exact' as const, ...more };
    return this.searchBy(index).nearest(request, contextOf(tenantId));
  }

  /** The share of the ten nearest of `all` that a search finds. */
  async recall(
    index: VectorIndex,
    tenantId: string,
    { all, queries, facets = [] }: { all: readonly number[][]; queries: readonly number[][]; facets?: string[] },
  ): Promise<number> {
    const limit = 10;
    let found = 0;
    for (const query of queries) {
      const cosines = all.map((one) => one.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0));
      const worst = cosines.sort((left, right) => right - left)[limit - 1] ?? 0;
      const { hits } = await this.nearest(index, tenantId, query, { facets, limit });
      found += hits.filter(({ score }) => score >= worst - 1e-6).length;
    }
    return found / (queries.length * limit);
  }
}
