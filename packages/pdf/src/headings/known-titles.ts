import type { OutlineEntry } from '../pdfium/read-outline.js';

/** Letters and digits, as far as they distinguish two titles. */
export function normalTitle(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const number =
  /^(?:(?:chapter|part|appendix|section)\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+|[A-Z](?=[.:)]|\s{2}))[.:)]?\s*(?=\S)/i;

/** The titles of the outline, by page. */
export class KnownTitles {
  private readonly levels = new Map<string, number>();

  constructor(outline: readonly OutlineEntry[]) {
    for (const { title, level, page } of outline)
      for (const form of page === null ? [] : formsOf(title)) {
        const key = `${page} ${form}`;
        this.levels.set(key, Math.min(level, this.levels.get(key) ?? level));
      }
  }

  /** The level of a title on a page in the outline. Null if the outline lacks it. */
  level(page: number, text: string): number | null {
    for (const form of formsOf(text)) {
      const level = this.levels.get(`${page} ${form}`);
      if (level !== undefined) return level;
    }
    return null;
  }
}

/** Outlines may omit the numbers of titles, or add them. */
function formsOf(title: string): string[] {
  const whole = normalTitle(title);
  const bare = normalTitle(title.replace(number, ''));
  return [whole, bare].filter((form) => form.length >= 2);
}
