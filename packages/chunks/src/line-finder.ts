import type { PageSpan } from '@kiln/pdf/markdown/paged-text';

/**
 * Seven numbers for each line of text on a page: the page; where the line begins and ends in UTF-16 units, counted from the start of the chunk;
 * x, y, width and height of its region in ten thousandths of the page. A line may begin before the chunk, and end after it.
 */
export type ChunkLines = readonly number[];

/** More lines of a chunk are left out: it is then a table of many small cells. */
const LINES_MAX = 500;
/** Of a line. */
const NUMBERS = 7;

/** Returns the lines of chunks. The starts of chunks must not decrease, because the lines are walked only once. */
export class LineFinder {
  private readonly pages: readonly PageSpan[];
  /** The first page and line that may be in the next chunk. */
  private page = 0;
  private line = 0;

  constructor(pages: readonly PageSpan[]) {
    this.pages = pages.filter(({ lines }) => lines !== undefined && lines.length > 0);
  }

  linesOf(start: number, end: number): ChunkLines {
    this.skipTo(start);
    const found: number[] = [];
    let first = this.line;
    for (let at = this.page; ; at++) {
      const { page = 0, lines = [] } = this.pages[at] ?? {};
      for (let line = lines[first]; line; line = lines[++first]) {
        const [from, to, ...region] = line;
        if (from >= end || found.length >= LINES_MAX * NUMBERS) return found;
        // The lines of a table are ordered by their starts only.
        if (to > start) found.push(page, from - start, to - start, ...region);
      }
      if (at >= this.pages.length) return found;
      first = 0;
    }
  }

  private skipTo(start: number): void {
    for (;;) {
      const lines = this.pages[this.page]?.lines;
      if (!lines) return;
      while ((lines[this.line]?.[1] ?? Infinity) <= start) this.line++;
      if (this.line < lines.length) return;
      this.page++;
      this.line = 0;
    }
  }
}
