import type { PageSpan } from '@kiln/pdf/markdown/paged-text';

/**
 * Seven numbers for each line of text on a page: the page; where the line begins and ends in UTF-16 units, counted from the start of the chunk;
 * x, y, width and height of its region in ten thousandths of the page. A line may begin before the chunk, and end after it.
 */
export type ChunkLines = readonly number[];

/** More lines of a chunk are left out: it is then a table of many small cells. */
const LINES_MAX = 500;

/** Returns the lines of chunks. The starts of chunks must not decrease, because the lines are walked only once. */
export class LineFinder {
  /** The page comes first. Then follows the line as its page has it. */
  private readonly lines: readonly (readonly [page: number, start: number, end: number, ...region: number[]])[];
  private first = 0;

  constructor(pages: readonly PageSpan[]) {
    this.lines = pages.flatMap(({ page, lines = [] }) => lines.map((line) => [page, ...line] as const));
  }

  linesOf(start: number, end: number): ChunkLines {
    while ((this.lines[this.first]?.[2] ?? Infinity) <= start) this.first++;
    const found: number[] = [];
    let left = LINES_MAX;
    for (let at = this.first; left > 0; at++) {
      const line = this.lines[at];
      if (!line || line[1] >= end) break;
      const [page, from, to, ...region] = line;
      // The lines of a table are ordered by their starts only.
      if (to <= start) continue;
      found.push(page, from - start, to - start, ...region);
      left--;
    }
    return found;
  }
}
