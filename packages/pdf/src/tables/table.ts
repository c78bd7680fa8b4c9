import { inlineMarkdown } from '../markdown/inline-text.js';
import type { Box, Word } from '../page-model.js';
import { rowsOf } from '../words/rows.js';

/** A table that was found on a page. The cells are inline markdown. */
export interface Table extends Box {
  rows: string[][];
  /**
   * The left edges of its columns. A continuation on the next page has the same edges. Tables from tags have none,
   * because tags state columns in reading order.
   */
  columnEdges: number[];
  /** The size of its text. */
  size: number;
}

/** A larger grid is a drawing. */
export const columnsMax = 100;
export const rowsMax = 2_000;

/**
 * A longer text stands only in the first cell that it spans. Otherwise a page could repeat it a hundred thousand times.
 */
const repeatedLettersMax = 200;

/** The repeated text of a cell that spans others, for the cells after the first. */
export function repeatedCell(text: string): string {
  return text.length > repeatedLettersMax ? '' : text;
}

/** The text of a cell, with joined lines. */
export function cellMarkdown(words: readonly Word[]): string {
  return rowsOf(words)
    .map((row) => inlineMarkdown(row))
    .join(' ')
    .replaceAll('|', '\\|');
}

/** The median size of the words. */
export function usualSize(words: readonly Word[]): number {
  const sizes = words.map(({ size }) => size).sort((first, second) => first - second);
  return sizes[sizes.length >> 1] ?? 0;
}
