import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { metadataSchema, spaceSchema } from '../files/schemas.js';
import { searchRequestSchema, searchResponseSchema } from './schemas.js';

export const searchOperations = {
  /** Replaces a file's chunks with those of the object at `chunks_key`; they are findable once this has answered. */
  indexFile: operation({
    subject: 'search.indexFile.v1',
    input: z.object({
      file_id: idSchema('file'),
      job_id: idSchema('job'),
      job_number: z.int().min(1).meta({ description: "orders the file's jobs; of two the higher one is newer" }),
      fence: z.int().min(1),
      space: spaceSchema,
      filename: z.string(),
      title: z.string().nullable(),
      content_type: z.string().nullable(),
      metadata: metadataSchema,
      chunks_key: z.string().meta({ description: 'NDJSON of chunks in the object store' }),
    }),
    output: z.object({ chunks: z.int() }),
    errors: ['SUPERSEDED'],
    timeoutMs: 120_000,
    idempotent: true,
  }),
  /**
   * Runs of the job under a lower fence make nothing findable any more once this has answered; what they made findable before
   * stays. Says at once what the event `job.cancelled` says, too.
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
  }),
};
