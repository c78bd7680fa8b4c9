import type { PageSpan } from '../../extractor.js';

/** Joins pages with an empty line between them, and records their positions. */
export class PagedText {
  readonly pages: PageSpan[] = [];
  private readonly parts: string[] = [];
  private length = 0;

  /** Adds a page. `separator` stands before it, unless it is the first text. */
  add(page: number, text: string, separator = '\n\n'): void {
    const separated = this.length > 0 && text !== '' ? `${separator}${text}` : text;
    const end = this.length + separated.length;
    this.pages.push({ page, start: end - text.length, end });
    this.parts.push(separated);
    this.length = end;
  }

  get markdown(): string {
    return this.length === 0 ? '' : `${this.parts.join('')}\n`;
  }
}
