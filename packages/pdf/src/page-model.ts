/**
 * The data that the stages of the PDF engine exchange. Lengths are points (1/72 inch). `x` grows to the right and `y`
 * downwards. The frame is turned so that most text of the page is upright.
 */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A direction of text, in degrees counterclockwise from the x axis. */
export type RightAngle = 0 | 90 | 180 | 270;

export interface TextStyle {
  font: string;
  isBold: boolean;
  isItalic: boolean;
  /** Whether all glyphs have the same width, as in program code. */
  isMono: boolean;
}

/** Glyphs without a space between them, in one style. */
export interface Word extends Box {
  text: string;
  baseline: number;
  /** The height of the font. */
  size: number;
  style: TextStyle;
  /** The position in the order of the file. Right-to-left text is read in this order. */
  order: number;
  /** Whether no space precedes the word: it is a superscript, or the style changes within a word. */
  isGlued: boolean;
  /** The address of the link that the word belongs to. */
  link: string | null;
  /** The marked content that the word belongs to (ISO 32000-1, 14.6). -1 for none. */
  contentId: number;
}

/** A straight horizontal or vertical line, or the edge of a filled rectangle. */
export interface Rule {
  isHorizontal: boolean;
  /** `y` of a horizontal rule, `x` of a vertical one. */
  at: number;
  from: number;
  to: number;
}

/** The content of a page, before any layout. */
export interface PageContent {
  width: number;
  height: number;
  /** By how much the frame has to be rotated, clockwise, to be the page as it is shown. */
  rotation: RightAngle;
  /** The skew of the shown page, in degrees clockwise, if the frame is that of a straightened picture. */
  skew?: number;
  words: Word[];
  /** Lines of text at an angle to the rest of the page. */
  turned: TurnedLine[];
  rules: Rule[];
  structure: PageStructure | null;
}

export interface TurnedLine extends Box {
  text: string;
  size: number;
  order: number;
}

/** The tags of a page (ISO 32000-1, 14.7), by marked content. */
export interface PageStructure {
  /** The level of the headings. */
  headings: ReadonlyMap<number, number>;
  /** The content that items of lists begin with, behind their labels. Browsers draw bullets as shapes. */
  items?: ReadonlySet<number>;
  tables: readonly TaggedTable[];
}

export interface TaggedTable {
  rows: TaggedCell[][];
}

export interface TaggedCell {
  contentIds: number[];
  columns: number;
  rows: number;
}
