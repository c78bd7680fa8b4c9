// The chunks of a file, made again from its markdown and from what its index records.
import type { SearchableIndex } from '@kiln/contracts';
import { chunk, type Chunk } from '@kiln/chunks/chunk';

export function indexedChunks({ source: { chunking, pages } }: SearchableIndex, markdown: string): Generator<Chunk> {
  const { strategy, chunk_size: chunkSize, chunk_overlap: chunkOverlap } = chunking;
  return chunk(markdown, { strategy, chunkSize, chunkOverlap, pages });
}
