import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation, type OperationInput, type OperationOutput } from '../core/operation.js';
import { answersOperations } from './answers.js';
import { chunksOperations } from './chunks.js';
import { FILES_PER_INDEX_CALL_MAX, fileIndexedSchema, fileToIndexSchema } from './index-files.js';
import { matchesOperations } from './matches.js';
import { modelsOperations } from './models.js';
import { rebuildOperations } from './rebuild.js';
import { reembeddingOperations } from './reembedding.js';
import { searchRequestSchema } from './search-request.js';
import { searchResponseSchema } from './search-response.js';

export const searchOperations = {
  ...modelsOperations,
  ...rebuildOperations,
  ...reembeddingOperations,
  /**
   * Replaces the chunks of each file. They are searchable once this returns. A rejected file does not affect the others. A call that
   * fails may have indexed some of the files; a repeat does not change those.
   */
  indexFiles: operation({
    subject: 'search.indexFiles.v1',
    input: z.object({
      files: z
        .array(fileToIndexSchema)
        .min(1)
        .max(FILES_PER_INDEX_CALL_MAX)
        .meta({ description: 'the caller keeps a call under about 800 KiB' }),
    }),
    output: z.object({
      files: z.array(fileIndexedSchema).meta({ description: 'in the order of the input' }),
    }),
    errors: [],
    timeoutMs: 120_000,
    idempotent: true,
  }),
  /**
   * After this returns, runs of the job with a lower fencing token can index nothing; what they indexed before
   * is kept. Has the effect of the event `job.cancelled` immediately.
   */
  refuseRuns: operation({
    subject: 'search.refuseRuns.v1',
    input: z.object({ file_id: idSchema('file'), job_id: idSchema('job'), fence: z.int().min(1) }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  search: operation({
    subject: 'search.search.v1',
    input: searchRequestSchema,
    output: searchResponseSchema,
    errors: [],
    timeoutMs: 10_000,
    idempotent: true,
    revision: 2,
    revisionOf: ({ filter, group = 'file', max_per_file, hybrid, recency, rerank = false }) =>
      group === 'file' && !rerank && [filter, max_per_file, hybrid, recency].every((option) => option === undefined)
        ? 1
        : 2,
  }),
  ...answersOperations,
  ...chunksOperations,
  ...matchesOperations,
};

type SearchOperations = typeof searchOperations;
export type SearchInput<Name extends keyof SearchOperations> = OperationInput<SearchOperations[Name]>;
export type SearchOutput<Name extends keyof SearchOperations> = OperationOutput<SearchOperations[Name]>;
