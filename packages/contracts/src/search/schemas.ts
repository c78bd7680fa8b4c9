import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { contentTypeSchema, metadataSchema, spaceSchema } from '../files/schemas.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;

const QUERY_CHARACTERS_MAX = 2_000;

export const searchRequestSchema = z.object({
  query: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(QUERY_CHARACTERS_MAX, { error: 'must be at most 2,000 characters' }),
  mode: z.enum(searchModes).default('hybrid'),
  space: spaceSchema.optional(),
  content_type: contentTypeSchema.optional(),
  metadata: metadataSchema.optional(),
  limit: z
    .int({ error: 'must be a whole number from 1 to 200' })
    .min(1, { error: 'must be at least 1' })
    .max(200, { error: 'must be at most 200' })
    .default(20),
});

export const searchResultSchema = z.object({
  file_id: idSchema('file'),
  score: z.number().min(0).max(1),
  snippet: z.string().meta({ description: 'HTML-escaped. Matches are enclosed in `<mark>`.' }),
  chunk_text: z.string(),
});

export const searchResponseSchema = z.object({
  results: z.array(searchResultSchema),
  total: z.int().meta({ description: 'The number of matching files, beyond `limit` too.' }),
  query: z.string(),
  mode: z.enum(searchModes).meta({ description: 'The mode that was used.' }),
});
