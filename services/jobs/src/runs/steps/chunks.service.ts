// The chunks of a run. Each step gets the same chunks with the same numbers.
import { completeChunking, type Chunking } from '@kiln/contracts';
import { chunk, type Chunk } from '@kiln/chunks/chunk';
import type { RunContext } from '../run-context.port.js';
import type { Extracted } from './stored-extraction.service.js';

export const chunkingOf = ({ processing }: Pick<RunContext['job'], 'processing'>): Chunking =>
  completeChunking(processing.chunking ?? {}, processing.default_chunking);

/** Generates one chunk at a time, so a long text is never in memory twice. */
export function chunksOf({ job }: RunContext, { markdown, pages }: Extracted): Generator<Chunk> {
  const chunking = chunkingOf(job);
  return chunk(markdown, {
    strategy: chunking.strategy,
    chunkSize: chunking.chunk_size,
    chunkOverlap: chunking.chunk_overlap,
    pages,
  });
}
