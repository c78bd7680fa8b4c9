// Rebuilding the index of files from their variants.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';

export const REBUILT_FILES_PER_CALL_MAX = 50;

export const rebuiltFileSchema = z.object({
  file_id: idSchema('file'),
  outcome: z.enum(['rebuilt', 'superseded', 'gone', 'failed']).meta({
    description: 'superseded: a newer run has indexed the file. gone: the file was deleted, or is no longer indexed',
  }),
  problem: z.string().nullable().meta({ description: 'why it failed, and what to do' }),
});

export type RebuiltFile = z.output<typeof rebuiltFileSchema>;

export const textStoreSchema = z.enum(['postgres', 'opensearch']);

export type TextStore = z.output<typeof textStoreSchema>;

export const rebuildOperations = {
  /**
   * From now on, merges move the text index of the tenant's files into this store. A rebuild of the files moves all of them. Fails with
   * BAD_REQUEST for OpenSearch if it is not configured.
   */
  chooseTextStore: operation({
    subject: 'search.chooseTextStore.v1',
    input: z.object({ store: textStoreSchema }),
    output: z.object({}),
    errors: [],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  /**
   * Replaces the index of each file by one that is made from its variants, in the language that the organization has set. Searches find the
   * former index of a file until its new one is complete. A call that fails may have replaced some of them; a repeat replaces them again.
   */
  rebuildFiles: operation({
    subject: 'search.rebuildFiles.v1',
    input: z.object({ file_ids: z.array(idSchema('file')).min(1).max(REBUILT_FILES_PER_CALL_MAX) }),
    output: z.object({ files: z.array(rebuiltFileSchema).meta({ description: 'in the order of the input' }) }),
    errors: [],
    timeoutMs: 600_000,
    idempotent: true,
  }),
};
