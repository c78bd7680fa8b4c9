import type { PlacedLine } from './place-pieces.js';

/** The position of the text of a page, a slide or a sheet: `markdown.slice(start, end)`, in UTF-16 units. Pages count from 1. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
  /** The size of the page as it is shown, in points, if its text has places. */
  width?: number;
  height?: number;
  /** Where the text stands on the page, in the order of the markdown. */
  lines?: readonly PlacedLine[];
}

/** Joins pages, slides or sheets with an empty line between them, and records their positions. */
export class PagedText {
  readonly pages: PageSpan[] = [];
  private readonly parts: string[] = [];
  private length = 0;

  /** `separator` precedes the text, unless it is the first. */
  add(page: number, text: string, separator = '\n\n'): PageSpan {
    const separated = this.length > 0 && text !== '' ? `${separator}${text}` : text;
    const end = this.length + separated.length;
    const span: PageSpan = { page, start: end - text.length, end };
    this.pages.push(span);
    this.parts.push(separated);
    this.length = end;
    return span;
  }

  /** The position so far, in UTF-16 units. */
  get characters(): number {
    return this.length;
  }

  get markdown(): string {
    return this.length === 0 ? '' : `${this.parts.join('')}\n`;
  }
}
