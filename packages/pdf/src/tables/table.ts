import { inlineMarkdown } from '../markdown/inline-text.js';
import type { Box, Word } from '../page-model.js';
import { rowsOf } from '../words/rows.js';

/** A table that was found on a page. The cells are inline markdown. */
export interface Table extends Box {
  rows: string[][];
  /**
   * The left edges of its columns. A table that continues on the next page has the same. Tables from tags have none: tags declare columns
   * in reading order.
   */
  columnEdges: number[];
  /** The size of its text. */
  size: number;
}

/** A larger grid is a drawing. */
export const columnsMax = 100;
export const rowsMax = 2_000;

/** A longer text stands only in the first of the cells that it spans. Else a page could repeat it a hundred thousand times. */
const repeatedLettersMax = 200;

/** The text of a cell that spans others, in one of those after the first. */
export function repeatedCell(text: string): string {
  return text.length > repeatedLettersMax ? '' : text;
}

/** The text of a cell, whose lines are joined. */
export function cellMarkdown(words: readonly Word[]): string {
  return rowsOf(words)
    .map((row) => inlineMarkdown(row))
    .join(' ')
    .replaceAll('|', '\\|');
}

/** The size of the word in the middle, by size. */
export function usualSize(words: readonly Word[]): number {
  const sizes = words.map(({ size }) => size).sort((first, second) => first - second);
  return sizes[sizes.length >> 1] ?? 0;
}
