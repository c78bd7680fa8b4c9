// Selections: files or jobs that a request names by their properties, in place of their ids. A request changes a bounded number of them, and its
// response says whether there are more.
import { z } from 'zod';
import { publicErrorCodes } from '../core/errors.js';
import { idSchema } from '../core/ids.js';
import { requestTimeSchema } from '../gateway/request-time.js';
import { DELETED_FILES_MAX, deletedFilesSchema, fileDeletionSchema } from './deletion.js';
import { fileFilterSchema } from './filter.js';
import { externalIdSchema, fileStatusSchema, listSearchSchema, metadataSchema, spaceSchema } from './schemas.js';

const hasOne = (fields: object) => Object.values(fields).some((value) => value !== undefined);
const ONE_NEEDED = 'must have at least one condition';

export const moreSchema = z.boolean().meta({
  description: 'Whether more may be selected than the request has changed. Send it again to continue.',
});

/** The conditions of a list of files. */
export const fileSelectionSchema = z
  .object({
    space: spaceSchema.optional(),
    status: fileStatusSchema.optional(),
    metadata: metadataSchema.optional(),
    external_id: externalIdSchema.optional(),
    search: listSearchSchema.optional(),
    filter: fileFilterSchema.optional(),
  })
  .refine(hasOne, { error: ONE_NEEDED })
  .meta({ description: 'Files that fulfil all these conditions, as a list has them, newest first.' });

export type FileSelection = z.output<typeof fileSelectionSchema>;

export const fileDeletionBodySchema = z
  .object({
    file_ids: fileDeletionSchema.shape.file_ids.optional(),
    selection: fileSelectionSchema.optional(),
  })
  .refine(({ file_ids: ids, selection }) => (ids === undefined) !== (selection === undefined), {
    error: 'must have either file_ids or selection',
  });

export const selectedDeletionSchema = deletedFilesSchema.extend({ more: moreSchema.optional() });

/** Files or jobs that one request may change. */
export const CHANGED_MAX = DELETED_FILES_MAX;

export const jobSelectionSchema = z
  .object({
    space: spaceSchema.optional(),
    file_id: idSchema('file').optional(),
    batch_id: idSchema('batch').optional(),
    since: requestTimeSchema.optional().meta({ description: 'Only jobs that were created at or after this time.' }),
  })
  .refine(hasOne, { error: ONE_NEEDED })
  .meta({ description: 'Jobs that fulfil all these conditions, newest first.' });

export type JobSelection = z.output<typeof jobSelectionSchema>;

const between = `must have 1 to ${CHANGED_MAX} ids`;

export const jobChangesBodySchema = z
  .object({
    // A malformed id is an error of that job, as an unknown one is.
    job_ids: z.array(z.string().max(255)).min(1, { error: between }).max(CHANGED_MAX, { error: between }).optional(),
    selection: jobSelectionSchema.optional(),
  })
  .refine(({ job_ids: ids, selection }) => (ids === undefined) !== (selection === undefined), {
    error: 'must have either job_ids or selection',
  });

export const jobChangesSchema = z.object({
  changed: z.int().min(0).meta({ description: 'The number of jobs that were changed.' }),
  errors: z
    .array(z.object({ job_id: z.string(), code: z.enum(publicErrorCodes), message: z.string() }))
    .meta({ description: 'The jobs that were not changed, in the order of the request.' }),
  more: moreSchema.optional(),
});
