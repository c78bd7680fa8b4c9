import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { spaceSchema } from './schemas.js';

export const downloadSchema = z.object({
  url: z.url().meta({ description: 'A signed URL. The response suggests the filename.' }),
  expires_in: z.int().meta({ description: 'The number of seconds until the URL expires.' }),
});

export const downloadsOperations = {
  /** A URL to the uploaded bytes. With `space`, a file of another space is NOT_FOUND. */
  downloadFile: operation({
    subject: 'files.downloadFile.v1',
    input: z.object({ id: idSchema('file'), space: spaceSchema.optional() }),
    output: downloadSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};
