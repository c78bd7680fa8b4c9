// A run's chunks: the same ones, with the same numbers, whoever asks.
import { chunkingSchema } from '@kiln/contracts';
import { chunk, type Chunk } from '@kiln/extraction/chunk';
import type { RunContext } from '../run-context.js';
import type { Extracted } from './extract.step.js';

/** One at a time; a long text never lies in memory twice. */
export function chunksOf({ job }: RunContext, { markdown, pages }: Extracted): Generator<Chunk> {
  const chunking = job.processing.chunking ?? chunkingSchema.parse({});
  return chunk(markdown, {
    strategy: chunking.strategy,
    chunkSize: chunking.chunk_size,
    chunkOverlap: chunking.chunk_overlap,
    pages,
  });
}
