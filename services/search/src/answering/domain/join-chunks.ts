// Joins consecutive chunks to the text they were cut from. Chunks overlap: each repeats the end of the one before.
import type { Chunk } from '../../text-index/indexed-text.domain.js';

/** White space between chunks is not in any chunk. */
const GAP = '\n';

/** Where a part of the joined text stands in the file. */
export interface Place {
  /** Where the part begins in the joined text. */
  readonly at: number;
  /** Where it begins and ends in the text of the file. */
  readonly start: number;
  readonly end: number;
  /** The page on which its chunk begins. Null without pages. */
  readonly page: number | null;
}

interface JoinedChunks {
  text: string;
  /** In order. The first one is at or near the beginning of the text. */
  places: Place[];
}

export function joinChunks(chunks: readonly Chunk[]): JoinedChunks {
  const joined: JoinedChunks = { text: '', places: [] };
  let before: Chunk | null = null;
  for (const chunk of chunks) {
    append(joined, before, chunk);
    before = chunk;
  }
  return joined;
}

function append(joined: JoinedChunks, before: Chunk | null, chunk: Chunk): void {
  const { page, start, end } = chunk;
  // The header of a table stands before the chunks that continue it.
  const headerLength = Math.max(chunk.text.length - (end - start), 0);
  const overlap = before ? before.end - start : -1;
  const own = chunk.text.slice(headerLength);
  // Offsets and text differ when characters were removed.
  if (before && overlap >= 0 && joined.text.endsWith(own.slice(0, overlap))) {
    joined.places.push({ at: joined.text.length, start: before.end, end, page });
    joined.text += own.slice(overlap);
    return;
  }
  if (before) joined.text += GAP;
  joined.places.push({ at: joined.text.length + headerLength, start, end, page });
  joined.text += chunk.text;
}

/** Where a part of the joined text, from `start` to `end`, stands in the file. */
export function placeOf(places: readonly Place[], start: number, end: number): Omit<Place, 'at'> {
  const inFile = (offset: number) => {
    const place = places.findLast(({ at }) => at <= offset) ?? places[0];
    if (!place) throw new Error('a text without places');
    return { place, offset: Math.min(Math.max(place.start + offset - place.at, place.start), place.end) };
  };
  const first = inFile(start);
  const last = inFile(Math.max(end - 1, start));
  return { start: first.offset, end: Math.min(last.offset + 1, last.place.end), page: first.place.page };
}
