/** Recognizes running heads, feet and page numbers: lines that repeat on neighbouring pages in the same place. */
import type { PageContent, Word } from '../page-model.js';
import { largestSize, rowsOf, type Segment, segmentsOf } from '../words/rows.js';

/** The share of the page's height, above and below, that counts as margin. */
const marginShare = 0.12;
/** Pages before and after a page that are compared with it. Heads of chapters change, and left pages differ from right ones. */
export const neighbourPages = 6;
/** A line that repeats on this many of these pages is a running line. */
const pagesMin = 3;
/** Running lines move up or down by less than this. */
export const positionStep = 6;
const linesMax = 200;
/** Lines of a paragraph are closer than this, in multiples of the size. A running head stands apart. */
const pitchMax = 1.5;

/** A head names at least this many columns. Running heads often have two parts. */
const columnsMin = 3;
/** The head of a table is closer to its first row, in multiples of the size. */
const headPitchMax = 2.5;
/** The edges of aligned cells differ by less, in points. */
const alignedMax = 3.5;

/** The form of a line that is the number of a page, with `#` for digits. */
export const pageNumber =
  /^(?:\p{L}{1,8}\.?\s*)?[-–—|·\s]*(?:#|[ivxlc]+)[-–—|·\s]*(?:(?:of|von|de|di|\/|sur|van|af)\s*#)?[-–—|·\s]*$/iu;

interface MarginLine {
  keys: string[];
  isPageNumber: boolean;
  words: Word[];
}

interface MarginLines {
  lines: MarginLine[];
  keys: ReadonlySet<string>;
}

/** Receives pages in order. Some pages arrive before the page that is asked about. */
export class RunningLines {
  private readonly pages = new Map<number, MarginLines>();

  see(number: number, content: PageContent): void {
    const lines = marginLines(content, number);
    this.pages.set(number, { lines, keys: new Set(lines.flatMap(({ keys }) => keys)) });
    this.pages.delete(number - 2 * neighbourPages - 1);
  }

  /** The words of the running lines of a page. */
  on(number: number): Set<Word> {
    const found = new Set<Word>();
    for (const line of this.pages.get(number)?.lines ?? []) {
      const count = Math.max(...line.keys.map((key) => this.pagesWith(key, number)));
      if (count >= (line.isPageNumber ? 2 : pagesMin)) for (const word of line.words) found.add(word);
    }
    return found;
  }

  private pagesWith(key: string, number: number): number {
    let count = 0;
    for (let page = number - neighbourPages; page <= number + neighbourPages; page++)
      if (this.pages.get(page)?.keys.has(key) === true) count++;
    return count;
  }
}

/** The lines in the margins, except those of paragraphs that begin or end in the rest of the page. */
export function marginRows({ words, height }: PageContent): Word[][] {
  const outer = words.filter(
    ({ baseline }) => baseline < height * marginShare || baseline > height * (1 - marginShare),
  );
  return rowsOf(outer)
    .slice(0, linesMax)
    .filter((row) => !continuesInside(row, words, height) && !headsTable(row, words));
}

function marginLines(page: PageContent, number: number): MarginLine[] {
  return marginRows(page).map((row) => {
    const text = row
      .map((word) => word.text)
      .join(' ')
      .slice(0, 200);
    const isPageNumber = pageNumber.test(text.replace(/\d+/g, '#'));
    const forms = isPageNumber ? [text.replace(/\d+|\b[ivxlc]+\b/gi, '#')] : formsOf(text, number);
    // Two lines that are less than a step apart share one of these keys.
    const position = Math.floor((row[0]?.baseline ?? 0) / positionStep);
    return {
      keys: forms.flatMap((form) => [`${position} ${form}`, `${position + 1} ${form}`]),
      isPageNumber,
      words: row,
    };
  });
}

/** The part of a line that repeats. The first or the last number may count the pages. */
function formsOf(text: string, page: number): string[] {
  const relative = (found: string): string => `#${Number(found) - page}`;
  return [text, text.replace(/\d+/, relative), text.replace(/\d+(?=\D*$)/, relative)];
}

/** Whether the next line towards the middle of the page is outside of the margins and in the same style. Then both are running text. */
function continuesInside([first]: readonly Word[], words: readonly Word[], height: number): boolean {
  if (first === undefined) return false;
  const { baseline, size, left } = first;
  const towards = baseline < height / 2 ? 1 : -1;
  return words.some((word) => {
    const pitch = (word.baseline - baseline) * towards;
    const isInside = word.baseline >= height * marginShare && word.baseline <= height * (1 - marginShare);
    return (
      isInside &&
      pitch > size * 0.8 &&
      pitch < size * pitchMax &&
      Math.abs(word.size - size) < size * 0.06 &&
      Math.abs(word.left - left) < size
    );
  });
}

/** Whether a line names the columns of the row below. A table repeats its head on each page. */
function headsTable(row: readonly Word[], words: readonly Word[]): boolean {
  const names = segmentsOf(row);
  if (names.length < columnsMin) return false;
  const size = largestSize(row);
  const bottom = row.reduce((lowest, { baseline }) => Math.max(lowest, baseline), 0);
  const near = words.filter(
    ({ baseline }) => baseline > bottom + size * 0.8 && baseline < bottom + size * headPitchMax,
  );
  const cells = segmentsOf(rowsOf(near)[0] ?? []);
  const isNamed = (cell: Segment): boolean => names.some((name) => areAligned(name, cell));
  return cells.length >= columnsMin && cells.filter(isNamed).length >= cells.length / 2;
}

function areAligned(name: Segment, cell: Segment): boolean {
  const [left, right] = [name.left - cell.left, name.right - cell.right];
  return Math.min(Math.abs(left), Math.abs(right), Math.abs(left + right) / 2) < alignedMax;
}
