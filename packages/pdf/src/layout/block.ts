import type { Box } from '../page-model.js';
import type { Table } from '../tables/table.js';

/** A paragraph, a heading, a list item, or lines of code. The whole document decides which. */
export interface TextBlock extends Box {
  kind: 'text';
  /** Inline markdown. Its line ends are those of the author. */
  markdown: string;
  /** The text without marks, up to the length of a heading. */
  plain: string;
  letters: number;
  lines: number;
  size: number;
  isBold: boolean;
  isItalic: boolean;
  /** The lines with their indentation, if the whole text is in a face for code. */
  code: string[] | null;
  /** The distances to the text above and below, in multiples of the size. Infinity at the edge of a region. */
  gapAbove: number;
  gapBelow: number;
  /** The share of the region's width that its longest line covers. */
  widthShare: number;
  /** Whether its first line is an entry of a table of contents. */
  isEntry: boolean;
  /** Whether it stands on a paragraph of the same size in another face. */
  headsText: boolean;
  /** The level of a heading that the tags of the page state. */
  taggedLevel: number | null;
}

export interface TableBlock {
  kind: 'table';
  table: Table;
}

export type Block = TextBlock | TableBlock;

export const headingLettersMax = 200;
