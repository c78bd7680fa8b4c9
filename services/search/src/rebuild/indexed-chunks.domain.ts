// The chunks of a file: made again from its markdown and from what its index records, or as the index has them.
import type { SearchableIndex } from '@kiln/contracts';
import { chunk, type Chunk } from '@kiln/chunks/chunk';
import type { Chunk as StoredChunk } from '../text-index/indexed-text.domain.js';

export function indexedChunks({ source: { chunking, pages } }: SearchableIndex, markdown: string): Generator<Chunk> {
  const { strategy, chunk_size: chunkSize, chunk_overlap: chunkOverlap } = chunking;
  return chunk(markdown, { strategy, chunkSize, chunkOverlap, pages });
}

export async function* storedChunks(chunks: AsyncIterable<StoredChunk>): AsyncGenerator<Chunk> {
  for await (const { headings, ...place } of chunks) yield { ...place, headingPath: [...headings] };
}
