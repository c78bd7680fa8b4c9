import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { contentTypeSchema, metadataSchema, spaceSchema } from '../files/schemas.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;

const QUERY_CHARACTERS_MAX = 2_000;

const QUERY_SYNTAX = `Words to find. A file with some of them is found, one with more of them ranks higher.

- \`"two words"\`: a phrase that must occur. One passage of the file, or its title and filename, has the words next to each other and in this order. Words match in all their forms, stop words as they are written. Typographic quotes count as well.
- \`-word\` and \`-"two words"\` exclude files that contain the word or phrase, in any passage or the title. A minus excludes at the start of a word only: \`state-of-the-art\`, \`a - b\` and \`--x\` exclude nothing. \`-5\` excludes the number 5.

Words joined by a hyphen, and words of letters and digits, are found in each spelling: \`email\` and \`e-mail\`, \`iPhone 15\` and \`iPhone15\`.

A quote after a digit, or without a second quote, is punctuation. In a query of more than 32 other words, which is a text rather than an expression, all quotes and minuses are punctuation. A query has at most 20 phrases and exclusions. One of exclusions or stop words only finds nothing.`;

export const searchRequestSchema = z.object({
  query: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(QUERY_CHARACTERS_MAX, { error: 'must be at most 2,000 characters' })
    .meta({ description: QUERY_SYNTAX }),
  mode: z.enum(searchModes).default('hybrid').meta({
    description:
      '`text`: by the words of the query. `vector`: by the similarity of its meaning, which requires an embedding provider. `hybrid`: by both; by text when there is no provider, no vectors, or no answer of the provider in time.',
  }),
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
  score: z.number().min(0).max(1).meta({
    description: 'Comparable within one response. By vector: the cosine, or 0 if it is negative.',
  }),
  snippet: z.string().meta({ description: 'HTML-escaped. Matches are enclosed in `<mark>`.' }),
  chunk_text: z.string(),
  chunk_text_truncated: z.boolean().meta({
    description:
      'Whether `chunk_text` is only the beginning of the chunk, because the whole response would be too large.',
  }),
});

export const searchResponseSchema = z.object({
  results: z.array(searchResultSchema),
  total: z.int().meta({
    description:
      'The number of matching files, beyond `limit` too. Exact, except for phrases of several words that many passages could contain: the texts of about 1,000 passages are checked, those of the best files first. Files that are not checked are not returned, but counted, so `total` is an upper bound then. By vector, all files with vectors that pass the filters are counted; in a hybrid search, those that text finds or that are among the 100 nearest.',
  }),
  query: z.string(),
  mode: z.enum(searchModes).meta({ description: 'The mode that was used.' }),
});
