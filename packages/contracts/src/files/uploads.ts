// Schemas of uploads: their fields, and the answers to them.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { jobErrorSchema } from '../jobs/schemas.js';
import { WAIT_SECONDS_MAX } from '../jobs/wait.js';
import {
  contentTypeSchema,
  externalIdSchema,
  fileStatusSchema,
  filenameSchema,
  metadataSchema,
  ownedExternalIdSchema,
  processingSchema,
  sha256Schema,
  spaceSchema,
  variantSchema,
  variantTypes,
} from './schemas.js';

/** The fields of an upload, in a JSON body or as multipart fields beside `file`. */
export const uploadFieldsSchema = processingSchema.extend({
  filename: filenameSchema.optional(),
  space: spaceSchema.optional().meta({
    description:
      'Default: `default`. If the upload replaces the content of a file, the default is the space of that file.',
  }),
  content_type: contentTypeSchema.optional(),
  size_bytes: z.int().min(0).optional(),
  skip_processing: z.boolean().default(false),
  metadata: metadataSchema.optional().meta({
    description:
      'Default: none. If the upload replaces the content of a file, the default is the metadata of that file.',
  }),
  external_id: externalIdSchema.optional(),
  on_conflict: z
    .enum(['fail', 'replace'])
    .optional()
    .meta({
      description:
        'What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, ' +
        'name, type and processing options. Its variants are deleted, and it is processed again.',
    }),
});

export const jsonUploadSchema = uploadFieldsSchema.extend({ filename: filenameSchema });

/** The upper limit of the maximum file size: 5 TiB, the largest object of the object stores. Sums stay exact. */
export const UPLOAD_BYTES_MAX = 5 * 1024 ** 4;

export const storedSizeSchema = z.int().min(0).max(UPLOAD_BYTES_MAX);

/** An upload with the ids created by the gateway. */
export const newFileSchema = jsonUploadSchema.extend({
  size_bytes: storedSizeSchema.optional(),
  file_id: idSchema('file').meta({ description: 'The caller makes it, so that a repeat is recognized.' }),
  job_id: idSchema('job').nullable(),
});

export const createdFileSchema = z.object({
  id: idSchema('file'),
  space: z.string(),
  filename: z.string(),
  content_type: z.string().nullable(),
  size_bytes: z.int().nullable(),
  storage_key: z.string(),
  status: fileStatusSchema,
  job_id: idSchema('job').nullable(),
  external_id: ownedExternalIdSchema,
});

interface RevisedUpload {
  external_id?: string | undefined;
  on_conflict?: 'fail' | 'replace' | undefined;
}

const revisionOf = ({ external_id: externalId, on_conflict: onConflict }: RevisedUpload): number => {
  if (onConflict === 'replace') return 3;
  return externalId === undefined ? 1 : 2;
};

/**
 * The revision that an upload needs, or a batch of uploads: a service of an earlier release would lose external ids, or refuse a
 * replacement.
 */
export const uploadRevisionOf = ({ files, ...upload }: RevisedUpload & { files?: readonly RevisedUpload[] }): number =>
  Math.max(...[upload, ...(files ?? [])].map(revisionOf));

/** A file that was uploaded with its bytes. */
export const storedFileSchema = createdFileSchema.extend({ sha256: sha256Schema });

/** A file that was uploaded with `wait`. */
export const processedFileSchema = storedFileSchema.extend({
  error: jobErrorSchema.nullable().optional().meta({ description: 'With `wait`: why the job failed, or null.' }),
  variants: z.array(variantSchema).max(variantTypes.length).optional().meta({
    description: 'With `wait`: the variants. Empty unless the job has completed.',
  }),
});

/** Of an upload. */
export const uploadWaitQuerySchema = z.object({
  wait: queryNumberSchema(0, WAIT_SECONDS_MAX)
    .default(0)
    .meta({
      description:
        'Seconds to wait until the file is processed, at most 60. The response then has `variants` with their contents, or `error`. It comes earlier when ' +
        'the job ends, and has the status at that time. The file is created in any case. Needs the scope `files:read`.',
    }),
});

export const signedUploadSchema = createdFileSchema.extend({
  upload_url: z.url(),
  upload_method: z.literal('PUT'),
  upload_headers: z.record(z.string(), z.string()),
  expires_in: z.int().meta({ description: 'The number of seconds until the URL expires.' }),
});
