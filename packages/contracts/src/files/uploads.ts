// Schemas of uploads: their fields, and the answers to them.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
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
} from './schemas.js';

/** The fields of an upload, in a JSON body or as multipart fields beside `file`. */
export const uploadFieldsSchema = processingSchema.extend({
  filename: filenameSchema.optional(),
  space: spaceSchema.default('default'),
  content_type: contentTypeSchema.optional(),
  size_bytes: z.int().min(0).optional(),
  skip_processing: z.boolean().default(false),
  metadata: metadataSchema.default({}),
  external_id: externalIdSchema.optional(),
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

/** A service of an earlier release would lose an external id. */
export const uploadRevisionOf = (...files: readonly { external_id?: string | undefined }[]): number =>
  files.some(({ external_id: externalId }) => externalId !== undefined) ? 2 : 1;

/** A file that was uploaded with its bytes. */
export const storedFileSchema = createdFileSchema.extend({ sha256: sha256Schema });

export const signedUploadSchema = createdFileSchema.extend({
  upload_url: z.url(),
  upload_method: z.literal('PUT'),
  upload_headers: z.record(z.string(), z.string()),
  expires_in: z.int().meta({ description: 'The number of seconds until the URL expires.' }),
});
