// Embeds indexed files with another model. The new vectors are staged while searches use the current ones. A second call replaces the current vectors.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { storableText } from '../files/schemas.js';

export const EMBEDDED_FILES_PER_CALL_MAX = 20;
export const SWITCHED_FILES_PER_CALL_MAX = 200;

const modelSchema = storableText(128).min(1);

export const stagedFileSchema = z.object({
  file_id: idSchema('file'),
  outcome: z.enum(['staged', 'current', 'gone', 'failed']).meta({
    description:
      'current: searches use vectors of this model already, or the file has no chunks. gone: the file was deleted, or is not indexed',
  }),
  problem: z.string().nullable().meta({ description: 'why it failed, and what to do' }),
});

export type StagedFile = z.output<typeof stagedFileSchema>;

export const switchedFileSchema = z.object({
  file_id: idSchema('file'),
  outcome: z.enum(['switched', 'unchanged']).meta({
    description: 'unchanged: nothing is staged for the current version of the file, or searches use it already',
  }),
});

export type SwitchedFile = z.output<typeof switchedFileSchema>;

export const reembeddingOperations = {
  /**
   * Embeds the chunks of each file, and stages the vectors. Searches ignore staged vectors. A repeated call embeds only chunks without a staged
   * vector. Fails with UNAVAILABLE while the embedding provider does not respond.
   */
  stageVectors: operation({
    subject: 'search.stageVectors.v1',
    input: z.object({
      file_ids: z.array(idSchema('file')).min(1).max(EMBEDDED_FILES_PER_CALL_MAX),
      model: modelSchema.nullable().meta({ description: "null: the model of the organization's settings" }),
    }),
    output: z.object({
      model: modelSchema,
      files: z.array(stagedFileSchema).meta({ description: 'in the order of the input' }),
    }),
    errors: [],
    timeoutMs: 600_000,
    idempotent: true,
  }),
  /** Searches use the staged vectors of the files from now on. */
  switchVectors: operation({
    subject: 'search.switchVectors.v1',
    input: z.object({
      file_ids: z.array(idSchema('file')).min(1).max(SWITCHED_FILES_PER_CALL_MAX),
      model: modelSchema,
    }),
    output: z.object({ files: z.array(switchedFileSchema).meta({ description: 'in the order of the input' }) }),
    errors: [],
    timeoutMs: 120_000,
    idempotent: true,
  }),
};
