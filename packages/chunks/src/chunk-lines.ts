// Chunks as the search service takes them: for indexing during a run, and when the index is made again.
import type { Chunk } from './chunk.js';
import { withVectors, type StoredEmbeddings } from './embeddings-variant.js';

export interface ChunkLine extends Omit<Chunk, 'headingPath' | 'prefix' | 'lines'> {
  heading_path: string[];
  lines?: number[];
  /** Base64 of Float32, little-endian. */
  vector?: string;
}

/** One line per chunk, in order. `embeddings`: null when the file has none. */
export async function* chunkLines(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  embeddings: Pick<StoredEmbeddings, 'vectors'> | null,
): AsyncGenerator<ChunkLine> {
  if (embeddings) {
    for await (const [chunk, vector] of withVectors(chunks, embeddings)) yield { ...lineOf(chunk), vector };
  } else for await (const chunk of chunks) yield lineOf(chunk);
}

const lineOf = ({ index, text, start, end, page, headingPath, lines }: Chunk): ChunkLine => ({
  index,
  text,
  start,
  end,
  page,
  heading_path: headingPath,
  ...(lines.length > 0 && { lines: [...lines] }),
});
