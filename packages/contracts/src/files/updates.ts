// Changes of what a caller says about a file. Its bytes and variants stay as they are.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { recordSchema } from '../core/record.js';
import { externalIdSchema, fileSchema, filenameSchema, spaceSchema, storableText } from './schemas.js';

/** A JSON Merge Patch (RFC 7396). A member that is missing stays as it is. */
export const fileChangesSchema = z
  .object({
    filename: filenameSchema.optional(),
    space: spaceSchema.optional().meta({ description: 'Moves the file to this space, which is created if necessary.' }),
    metadata: recordSchema(storableText(64).min(1), storableText(1024).nullable())
      .optional()
      .meta({
        description: 'The keys to set. A key with null is removed; all other keys stay.',
        examples: [{ department: 'legal', draft: null }],
      }),
    external_id: externalIdSchema.nullable().optional().meta({
      description: 'The id of the file in your system, unique in the organization. Null removes it.',
    }),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: 'must have at least one of filename, space, metadata or external_id',
  });

export type FileChanges = z.output<typeof fileChangesSchema>;

export const updatesOperations = {
  updateFile: operation({
    subject: 'files.updateFile.v1',
    input: z.object({ id: idSchema('file'), changes: fileChangesSchema }),
    output: fileSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};
