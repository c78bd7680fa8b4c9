import type { PageSpan } from '@kiln/pdf/markdown/paged-text';

/** Returns the page of an offset. Offsets must not decrease, because the pages are walked only once. */
export class PageFinder {
  private readonly pages: readonly PageSpan[];
  private at = 0;

  constructor(pages: readonly PageSpan[]) {
    this.pages = pages;
  }

  pageAt(offset: number): number | null {
    for (let next = this.pages[this.at + 1]; next !== undefined && next.start <= offset; next = this.pages[this.at + 1])
      this.at++;
    return this.pages[this.at]?.page ?? null;
  }
}
