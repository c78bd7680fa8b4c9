// How the text of a file is cut into chunks.
import { z } from 'zod';

export const chunkingStrategies = ['recursive', 'markdown', 'sentence', 'fixed'] as const;

const CHUNK_SIZE_MAX = 8_000;

/** Sizes are in characters. */
export const chunkingSchema = z.object({
  strategy: z.enum(chunkingStrategies),
  chunk_size: z.int().min(100).max(CHUNK_SIZE_MAX),
  chunk_overlap: z
    .int()
    .min(0)
    .max(CHUNK_SIZE_MAX / 2),
});
export type Chunking = z.output<typeof chunkingSchema>;

export const standardChunking: Chunking = { strategy: 'recursive', chunk_size: 1_000, chunk_overlap: 200 };

/** The chunking of a request. `completeChunking` adds the fields that it omits. */
export const requestedChunkingSchema = chunkingSchema
  .partial()
  .refine(({ chunk_size = CHUNK_SIZE_MAX, chunk_overlap = 0 }) => chunk_overlap <= chunk_size / 2, {
    error: 'must be at most half of chunk_size',
    path: ['chunk_overlap'],
  })
  .meta({
    description:
      'Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted ' +
      'to that of a given one: an overlap is at most half of the size.',
  });

/** The requested chunking, with the values of `base` for omitted fields, adapted to the given ones. */
export function completeChunking(
  { strategy, chunk_size: size, chunk_overlap: overlap }: z.output<typeof requestedChunkingSchema>,
  base: Chunking = standardChunking,
): Chunking {
  const chunk_size = size ?? Math.max(base.chunk_size, 2 * (overlap ?? 0));
  const chunk_overlap = overlap ?? Math.min(base.chunk_overlap, Math.floor(chunk_size / 2));
  return { strategy: strategy ?? base.strategy, chunk_size, chunk_overlap };
}
