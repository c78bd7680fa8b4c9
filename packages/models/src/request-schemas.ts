/** What callers may ask: OpenAI's `POST /v1/embeddings`, and `POST /v1/rerank` as Cohere and Jina have it. */
import { z } from 'zod';

const TEXTS_MAX = 2_048;
const TEXT_CHARACTERS_MAX = 100_000;

const textSchema = z.string().max(TEXT_CHARACTERS_MAX);

export const embeddingsRequestSchema = z.object({
  input: z.union([textSchema.transform((text) => [text]), z.array(textSchema).min(1).max(TEXTS_MAX)]),
  model: z.string().optional(),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().optional(),
});

export const rerankRequestSchema = z.object({
  query: textSchema.min(1),
  documents: z.array(textSchema).min(1).max(TEXTS_MAX),
  model: z.string().optional(),
  top_n: z.int().min(1).optional(),
});
