// What a search finds.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { timestampSchema } from '../core/timestamps.js';
import { regionsSchema } from '../files/regions.js';
import { contentTypeSchema, externalIdSchema, metadataSchema, spaceSchema } from '../files/schemas.js';
import { searchModes } from './search-request.js';

const searchParts = ['text', 'vector', 'rerank'] as const;

const shareSchema = z.number().min(0).max(1);
const offsetSchema = z.int().min(0);

export const searchResultSchema = z.object({
  file_id: idSchema('file'),
  score: shareSchema.meta({ description: 'Comparable within one response.' }),
  scores: z
    .object({
      text: shareSchema
        .nullable()
        .meta({ description: 'How much of the query the words of the chunk and the title cover.' }),
      vector: shareSchema.nullable().meta({ description: 'The cosine, or 0 if it is negative.' }),
      rerank: shareSchema.nullable().meta({ description: 'The relevance that the reranking model sees.' }),
    })
    .optional()
    .meta({ description: 'The parts of the score. Null for a part that did not find the chunk or did not take part.' }),
  snippet: z.string().meta({ description: 'HTML-escaped. Matches are enclosed in `<mark>`.' }),
  chunk_text: z.string().meta({ description: 'The text of the chunk.' }),
  chunk_text_truncated: z.boolean().meta({
    description: 'Whether the text is only the beginning of the chunk, because the whole response would be too large.',
  }),
  highlights: z
    .array(z.object({ start: offsetSchema, end: offsetSchema }))
    .optional()
    .meta({
      description: 'The words of the query in the text of the chunk, as offsets in UTF-16 units. The first 50.',
    }),
  chunk_index: offsetSchema.optional().meta({ description: 'The position of the chunk in its file, from 0.' }),
  start: offsetSchema
    .optional()
    .meta({ description: 'Where the chunk begins in the markdown of the file, in UTF-16 units.' }),
  end: offsetSchema.optional().meta({ description: 'Where it ends.' }),
  page: z.int().nullable().optional().meta({ description: 'The page on which the chunk begins. Null without pages.' }),
  regions: regionsSchema.optional(),
  headings: z.array(z.string()).optional().meta({ description: 'The headings above the chunk, the outermost first.' }),
  filename: z.string().optional(),
  space: spaceSchema.optional(),
  content_type: contentTypeSchema.nullable().optional(),
  external_id: externalIdSchema.nullable().optional(),
  metadata: metadataSchema.optional(),
  created_at: timestampSchema.optional().meta({ description: 'When the file was created.' }),
  omitted: z
    .array(z.enum(['headings', 'highlights', 'metadata', 'regions']))
    .optional()
    .meta({ description: 'Fields that are left out, because the whole response would be too large.' }),
});

export type SearchResult = z.output<typeof searchResultSchema>;

const notServedSchema = z.object({
  part: z.enum(searchParts),
  reason: z.enum(['not_configured', 'no_vectors', 'failed', 'too_many_models']),
  message: z.string().meta({ description: 'The cause, and how to remove it.' }),
});

export type NotServed = z.output<typeof notServedSchema>;

export const searchResponseSchema = z.object({
  results: z.array(searchResultSchema),
  total: z.int().meta({
    description:
      'The number of matching files, beyond `limit` too, also with `group: "chunk"`. Exact, except for phrases of several words that many passages could contain: the texts of about 1,000 passages are checked, those of the best files first. Files that are not checked are not returned, but counted, so `total` is an upper bound then. By vector, all files with vectors that pass the filters are counted; in a hybrid search, those that text finds or that are among the 100 nearest (an upper bound if more than 100 chunks have words of the query).',
  }),
  query: z.string(),
  mode: z.enum(searchModes).meta({ description: 'The mode that was used.' }),
  served: z.array(z.enum(searchParts)).optional().meta({ description: 'The parts that took part.' }),
  not_served: z.array(notServedSchema).optional().meta({
    description:
      'The parts that were asked for and did not take part, with the reason. `vector` can be here and in `served`: then vectors of some models were not searched.',
  }),
});

/** What callers get: the text of a chunk also as `text`. */
export const publicSearchResultSchema = searchResultSchema.extend({
  text: z.string().meta({ description: 'The same as `chunk_text`.' }),
});

export const publicSearchResponseSchema = searchResponseSchema.extend({ results: z.array(publicSearchResultSchema) });
