import { placeOf } from '../../../ui/passage.js';
import type { Chunk } from '../queries.js';

interface ChunkRegionsProps {
  page: number;
  chunks: readonly Chunk[];
  lit: readonly Chunk[];
  onChunk: (chunk: Chunk) => void;
}

/** A button on each region of the chunks. The keyboard reaches the first one of each chunk. */
export function ChunkRegions({ page, chunks, lit, onChunk }: ChunkRegionsProps) {
  return chunks.flatMap((chunk) =>
    chunk.regions
      .filter((region) => region.page === page)
      .map((region, at) => (
        <button
          key={`${chunk.index} ${at}`}
          type="button"
          className="chunk-region"
          style={placeOf(region)}
          aria-label={`Chunk ${chunk.index + 1}`}
          aria-pressed={lit.includes(chunk)}
          tabIndex={at === 0 ? 0 : -1}
          onClick={() => onChunk(chunk)}
        />
      )),
  );
}
