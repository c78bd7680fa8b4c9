// What a search asks for.
import { z } from 'zod';
import { fileFilterSchema } from '../files/filter.js';
import { contentTypeSchema, metadataSchema, spaceSchema } from '../files/schemas.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const;
const searchGroups = ['file', 'chunk'] as const;

const QUERY_CHARACTERS_MAX = 2_000;

const QUERY_SYNTAX = `Words to find. A file with some of them is found, one with more of them ranks higher.

- \`"two words"\`: a phrase that must occur. One passage of the file, or its title and filename, has the words next to each other and in this order. Words match in all their forms, stop words as they are written. Typographic quotes count as well.
- \`-word\` and \`-"two words"\` exclude files that contain the word or phrase, in any passage or the title. A minus excludes at the start of a word only: \`state-of-the-art\`, \`a - b\` and \`--x\` exclude nothing. \`-5\` excludes the number 5.

Words joined by a hyphen, and words of letters and digits, are found in each spelling: \`email\` and \`e-mail\`, \`iPhone 15\` and \`iPhone15\`.

A quote after a digit, or without a second quote, is punctuation. In a query of more than 32 other words, which is a text rather than an expression, all quotes and minuses are punctuation. A query has at most 20 phrases and exclusions. One of exclusions or stop words only finds nothing.`;

const resultCountSchema = z
  .int({ error: 'must be a whole number from 1 to 200' })
  .min(1, { error: 'must be at least 1' })
  .max(200, { error: 'must be at most 200' });

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
  filter: fileFilterSchema.optional(),
  limit: resultCountSchema.default(20),
  group: z.enum(searchGroups).default('file').meta({
    description:
      '`file`: one result per file, with its best chunk. `chunk`: the best chunks, possibly several of one file.',
  }),
  max_per_file: resultCountSchema
    .optional()
    .meta({ description: 'The most chunks of one file. Requires `group: "chunk"`.' }),
  hybrid: z
    .object({
      weight: z.number().min(0).max(1).meta({ description: 'From 0, text only, to 1, meaning only.' }),
    })
    .optional()
    .meta({ description: 'The share of meaning in the score. Requires the mode `hybrid`.' }),
  recency: z
    .object({
      half_life_days: z.number().min(0.01).max(36_500).meta({ description: 'After this time, `weight` has halved.' }),
      weight: z.number().min(0).max(1).default(0.5).meta({ description: 'The share of the score that fades.' }),
    })
    .optional()
    .meta({ description: 'Prefers newer files: a share of the score halves with each half-life since the upload.' }),
  rerank: z.boolean().default(false).meta({
    description: 'Whether a reranking model orders the best 50 results anew. `not_served` says when it did not.',
  }),
});
