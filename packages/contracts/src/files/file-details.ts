// What a search shows of a file.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { timestampSchema } from '../core/timestamps.js';
import { ownedExternalIdSchema, spaceSchema } from './schemas.js';

/** The longest metadata of a file, as JSON. */
const METADATA_BYTES_MAX = 65_536;

export const detailsRequestSchema = z
  .object({ metadata_bytes_max: z.int().min(0).max(METADATA_BYTES_MAX) })
  .meta({ description: 'Asks for `files`. Longer metadata of a file is left out.' });

export const fileDetailsSchema = z.object({
  file_id: idSchema('file'),
  filename: z.string(),
  space: spaceSchema,
  content_type: z.string().nullable(),
  external_id: ownedExternalIdSchema,
  metadata: z.record(z.string(), z.string()).nullable().meta({ description: 'Null when it is too long.' }),
  created_at: timestampSchema,
});

export type FileDetails = z.output<typeof fileDetailsSchema>;
