/**
 * Recognizes running heads and feet of a document of two pages. Lines that count the pages are left out. A line that is the same on both
 * pages may say who wrote a letter, so the first page keeps it. Two copies of a form keep all lines.
 */
import type { PageContent, Word } from '../page-model.js';
import { usualSize } from '../tables/table.js';
import { largestSize, rowsOf, segmentsOf } from '../words/rows.js';
import { marginRows, pageNumber, positionStep } from './running-lines.js';

/** A head or foot is at least this far from other text, in multiples of the size. */
const clearanceMin = 2;
/**
 * Heads and feet are not larger than the text, but titles are. The sizes of two faces that look alike differ by less.
 */
const sizeMax = 1.06;
/** Shorter lines, such as bullets and numbers, share a place by chance. */
const lettersOfLineMin = 4;
/** A page number that follows other text without a gap. */
const numberAtEnd =
  /(?:\b(?:page|seite|pagina|página|pág\.?)|[|·•–—])\s*(\d{1,4})(?:\s*(?:of|von|de|di|\/|sur|van|af)\s*\d{1,4})?$/iu;

interface CountedLine {
  words: Word[];
  baseline: number;
  number: number;
  /** The line without its number. */
  rest: string;
}

/** The words of running heads and feet of both pages, and of those of the second page that the first has, too. */
export function pairedHeads(first: PageContent, second: PageContent): Set<Word> {
  const found = new Set<Word>();
  const others = countedLines(second);
  for (const line of countedLines(first)) {
    const other = others.find(
      ({ baseline, number, rest }) =>
        Math.abs(baseline - line.baseline) < positionStep && number === line.number + 1 && rest === line.rest,
    );
    if (other !== undefined) for (const word of [...line.words, ...other.words]) found.add(word);
  }
  for (const word of repeatedLines(first, second, found).flat()) found.add(word);
  return found.size === 0 || areCopies(first, second) ? new Set() : found;
}

/** The lines of the second page that the first has, too, between all other text and the edge of the page. */
function repeatedLines(first: PageContent, second: PageContent, counted: ReadonlySet<Word>): Word[][] {
  const isOnFirst = placeFinder(marginRows(first));
  const shared = marginRows(second).filter((row) => isOnFirst(row));
  const heads = new Set([...counted, ...shared.flat()]);
  const others = second.words.filter((word) => !heads.has(word));
  const sizeOfText = usualSize(second.words);
  return shared.filter((row) => {
    const [baseline, size] = [row[0]?.baseline ?? 0, largestSize(row)];
    const towards = baseline < second.height / 2 ? 1 : -1;
    const isOutside = others.every((word) => (word.baseline - baseline) * towards >= size * clearanceMin);
    return isOutside && size <= sizeOfText * sizeMax;
  });
}

/** Lines in the margins that stand apart and hold a text and a page number. */
function countedLines(page: PageContent): CountedLine[] {
  const textSize = usualSize(page.words);
  return marginRows(page).flatMap((row) => {
    const size = largestSize(row);
    const counted = size > textSize * sizeMax || !isClear(row, page.words, size) ? null : countOf(row);
    return counted === null ? [] : [{ ...counted, words: row, baseline: row[0]?.baseline ?? 0 }];
  });
}

/** The number and the rest of a line. The number is at one end, beside a gap or a mark. */
function countOf(row: readonly Word[]): Pick<CountedLine, 'number' | 'rest'> | null {
  const texts = segmentsOf(row).map(({ words }) => textOf(words));
  for (const at of [texts.length - 1, 0]) {
    const text = texts[at] ?? '';
    const digits = /\d{1,4}/.exec(text)?.[0];
    if (texts.length < 2 || digits === undefined || !pageNumber.test(text.replace(/\d+/g, '#'))) continue;
    return { number: Number(digits), rest: texts.filter((_, index) => index !== at).join(' ') };
  }
  const whole = texts.join(' ');
  const match = numberAtEnd.exec(whole);
  return match === null ? null : { number: Number(match[1]), rest: whole.slice(0, match.index) };
}

function isClear(row: readonly Word[], words: readonly Word[], size: number): boolean {
  const own = new Set(row);
  const baseline = row[0]?.baseline ?? 0;
  return words.every(
    (word) => own.has(word) || Math.abs(word.baseline - baseline) >= Math.max(size, word.size) * clearanceMin,
  );
}

/** Whether the pages also share a line at the same place outside of the margins. */
function areCopies(first: PageContent, second: PageContent): boolean {
  const isOnFirst = placeFinder(bodyRows(first));
  return bodyRows(second).some((row) => isOnFirst(row));
}

/** Finds rows with the text and the place of one of `rows`. */
function placeFinder(rows: readonly Word[][]): (row: readonly Word[]) => boolean {
  const stepOf = (row: readonly Word[]): number => Math.floor((row[0]?.baseline ?? 0) / positionStep);
  const places = new Set(rows.map((row) => `${stepOf(row)} ${textOf(row)}`));
  // Two lines that are less than a step apart are in the same step or in neighbouring ones.
  return (row) => [-1, 0, 1].some((by) => places.has(`${stepOf(row) + by} ${textOf(row)}`));
}

function bodyRows(page: PageContent): Word[][] {
  const margins = new Set(marginRows(page).flat());
  return rowsOf(page.words.filter((word) => !margins.has(word))).filter(
    (row) => (textOf(row).match(/\p{L}/gu)?.length ?? 0) >= lettersOfLineMin,
  );
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}
