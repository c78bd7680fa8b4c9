// Parts of the markdown of a file, in UTF-16 units, and the chunks and pages that they belong to.
export interface Span {
  start: number;
  end: number;
}

export const overlap = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;

/** The last chunk that begins at the offset or before it. Chunks are in the order of the text, and can overlap. */
export const chunkAt = <Chunk extends Span>(chunks: readonly Chunk[], offset: number): Chunk | undefined =>
  chunks.findLast(({ start }) => start <= offset);

/** The first chunk of the page, or of the next page that has one. */
export const chunkOnPage = <Chunk extends { page: number | null }>(chunks: readonly Chunk[], page: number) =>
  chunks.find((chunk) => chunk.page !== null && chunk.page >= page);
