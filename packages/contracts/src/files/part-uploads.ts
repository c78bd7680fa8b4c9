// Uploads whose bytes the caller sends in parts to the object store, so that an interrupted upload continues where it was. An upload has the id
// of its file.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { createdFileSchema, jsonUploadSchema, newFileSchema, storedSizeSchema, uploadRevisionOf } from './uploads.js';

const MEBIBYTE = 1024 * 1024;
/** Object stores accept no smaller part, but for the last one. */
export const PART_BYTES_MIN = 5 * MEBIBYTE;
/** With the most parts, this is more than the largest object. */
export const PART_BYTES_MAX = 1024 * MEBIBYTE;
export const PART_BYTES_DEFAULT = 16 * MEBIBYTE;
export const PARTS_MAX = 10_000;
export const SIGNED_PARTS_MAX = 100;
const ETAG_LENGTH_MAX = 128;

const partNumberSchema = z.int().min(1).max(PARTS_MAX);
const partBytesSchema = z
  .int()
  .min(PART_BYTES_MIN)
  .max(PART_BYTES_MAX)
  .meta({
    description: `The size of every part but the last, which has the rest of the bytes. Default: ${PART_BYTES_DEFAULT}, or more if the file would have more than ${PARTS_MAX} parts.`,
  });

/** The fields of an upload in parts. */
export const partUploadFieldsSchema = jsonUploadSchema.extend({
  size_bytes: z.int().min(1).meta({ description: 'The size of the file.' }),
  part_bytes: partBytesSchema.optional(),
});

export const partUploadSchema = createdFileSchema.extend({
  id: idSchema('file').meta({ description: 'The id of the upload, and of the file that it creates.' }),
  file_id: idSchema('file').optional().meta({
    description:
      'With `on_conflict=replace`: the id of the file whose content the upload will replace. Otherwise the file has the id of the upload.',
  }),
  size_bytes: z.int(),
  part_bytes: z.int().meta({ description: 'The size of every part but the last, which has the rest of the bytes.' }),
  part_count: z.int().min(1).max(PARTS_MAX),
  expires_at: timestampSchema.meta({ description: 'UTC. An upload that is not completed by then fails.' }),
});

export const signedPartsRequestSchema = z.object({
  part_numbers: z
    .array(partNumberSchema)
    .min(1, { error: 'must have at least one number' })
    .max(SIGNED_PARTS_MAX, { error: `must have at most ${SIGNED_PARTS_MAX} numbers` }),
});

export const signedPartsSchema = z.object({
  parts: z.array(
    z.object({
      part_number: partNumberSchema,
      size_bytes: z.int().meta({ description: 'The number of bytes to send.' }),
      url: z
        .url()
        .meta({ description: 'Send the bytes there with PUT. A part that is sent again replaces the earlier one.' }),
      headers: z.record(z.string(), z.string()).meta({ description: 'The headers that the PUT must have.' }),
    }),
  ),
  expires_in: z.int().meta({ description: 'The number of seconds until the URLs expire. Request new ones then.' }),
});

const etagSchema = z.string().min(1).max(ETAG_LENGTH_MAX);

export const partUploadStateSchema = partUploadSchema.extend({
  parts: z
    .array(
      z.object({
        part_number: partNumberSchema,
        size_bytes: z.int(),
        etag: etagSchema.nullable().meta({ description: 'The tag of the part. Null on Azure, which has none.' }),
      }),
    )
    .meta({ description: 'The parts that are stored, by their numbers. Empty once the upload has ended.' }),
  next_cursor: nextCursorSchema,
});

export const partUploadCompletionSchema = z.object({
  parts: z
    .array(z.object({ part_number: partNumberSchema, etag: etagSchema }))
    .max(PARTS_MAX)
    .optional()
    .meta({
      description:
        'The ETag headers that the object store has returned. The parts that are named must still have these tags.',
    }),
});

export const partUploadsOperations = {
  /** Registers a file whose bytes will be sent in parts. */
  beginPartUpload: operation({
    subject: 'files.beginPartUpload.v1',
    input: newFileSchema.extend({ size_bytes: storedSizeSchema.min(1), part_bytes: partBytesSchema.optional() }),
    output: partUploadSchema,
    errors: ['CONFLICT'],
    timeoutMs: 10_000,
    idempotent: true,
    revision: 3,
    revisionOf: uploadRevisionOf,
  }),
  signParts: operation({
    subject: 'files.signParts.v1',
    input: signedPartsRequestSchema.extend({ id: idSchema('file') }),
    output: signedPartsSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  getPartUpload: operation({
    subject: 'files.getPartUpload.v1',
    input: z.object({ id: idSchema('file'), limit: limitSchema(200), cursor: cursorSchema }),
    output: partUploadStateSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 10_000,
    idempotent: true,
  }),
  /** Makes the file of its parts. A repeat returns the same file. */
  completePartUpload: operation({
    subject: 'files.completePartUpload.v1',
    input: partUploadCompletionSchema.extend({ id: idSchema('file') }),
    output: createdFileSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
    timeoutMs: 60_000,
    idempotent: true,
  }),
  /** Deletes the file of an upload that has not been completed, with its parts. */
  abortPartUpload: operation({
    subject: 'files.abortPartUpload.v1',
    input: z.object({ id: idSchema('file') }),
    output: z.object({ deleted: z.literal(true) }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 5_000,
    // A repeat after a lost response would be NOT_FOUND.
    idempotent: false,
  }),
};
