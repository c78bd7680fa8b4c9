// Deleting files and spaces. The answer says what can no longer be seen; bytes, jobs and index entries follow.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { publicErrorCodes } from '../core/errors.js';
import { spaceSchema } from './schemas.js';

/** Files that one request may delete. */
export const DELETED_FILES_MAX = 100;

const deletedSchema = z.literal(true);

/** Ids are checked one by one: a malformed one is an error of its own, as an unknown one is. */
export const fileDeletionSchema = z.object({
  file_ids: z
    .array(z.string())
    .min(1, { error: 'must have at least one id' })
    .max(DELETED_FILES_MAX, { error: `must have at most ${DELETED_FILES_MAX} ids` }),
});

/** The error of one file of a request. */
export const fileProblemSchema = z.object({
  file_id: z.string().meta({ description: 'The id as the request has sent it.' }),
  code: z.enum(publicErrorCodes),
  message: z.string(),
});

export const deletedFilesSchema = z.object({
  deleted: z.int().min(0).meta({ description: 'The number of deleted files. An id that was sent twice counts once.' }),
  errors: z.array(fileProblemSchema),
});

/** A query parameter is text: anything but these two words is refused. */
export const spaceDeletionQuerySchema = z.object({
  cascade: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: 'Deletes the files of the space, too. Without it, a space with files is not deleted.' }),
});

export const deletionOperations = {
  deleteFile: operation({
    subject: 'files.deleteFile.v1',
    input: z.object({ id: idSchema('file') }),
    output: z.object({ deleted: deletedSchema }),
    errors: ['NOT_FOUND'],
    timeoutMs: 5_000,
    // A repeat after a lost response would be NOT_FOUND.
    idempotent: false,
  }),
  deleteFiles: operation({
    subject: 'files.deleteFiles.v1',
    input: fileDeletionSchema,
    output: deletedFilesSchema,
    errors: [],
    timeoutMs: 10_000,
    idempotent: false,
  }),
  /** With `cascade` its files can no longer be seen when this answers, however many; they are deleted in the background. */
  deleteSpace: operation({
    subject: 'files.deleteSpace.v1',
    input: z.object({ name: spaceSchema, cascade: z.boolean() }),
    output: z.object({ deleted: deletedSchema, files_deleted: z.int().min(0) }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 10_000,
    idempotent: false,
  }),
};
