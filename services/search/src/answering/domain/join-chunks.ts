// Joins consecutive chunks to the text they were cut from. Chunks overlap: each repeats the end of the one before.
import type { Chunk } from '../../text-index/text-index.port.js';

/** White space between chunks is not in any chunk. */
const GAP = '\n';

export function joinChunks(chunks: readonly Chunk[]): string {
  let text = '';
  let before: Chunk | null = null;
  for (const chunk of chunks) {
    text = before ? append(text, before, chunk) : chunk.text;
    before = chunk;
  }
  return text;
}

function append(text: string, before: Chunk, chunk: Chunk): string {
  const overlap = before.end - chunk.start;
  if (overlap < 0) return text + GAP + chunk.text;
  // The header of a table stands before the chunks that continue it.
  const own = chunk.text.slice(Math.max(chunk.text.length - (chunk.end - chunk.start), 0));
  // Offsets and text differ when characters were removed.
  if (!text.endsWith(own.slice(0, overlap))) return text + GAP + chunk.text;
  return text + own.slice(overlap);
}
