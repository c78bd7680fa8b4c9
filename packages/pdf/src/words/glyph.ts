import type { TextStyle } from '../page-model.js';

/** A direction of text, in degrees counterclockwise from the x axis. */
export type RightAngle = 0 | 90 | 180 | 270;

/** What the glyphs of one text object have in common. */
export interface GlyphRun {
  /** Null for text across the page. */
  rotation: RightAngle | null;
  /** The number of its glyphs. */
  glyphs: number;
  size: number;
  /** The start of the base line. */
  originX: number;
  originY: number;
  style: TextStyle;
  contentId: number;
  /** Whether its font does not say which characters its codes show. The text then consists of these codes. */
  isUnmapped: boolean;
}

/** One character. `run` is null for a space or a line end. */
export interface Glyph {
  text: string;
  isLineEnd: boolean;
  left: number;
  top: number;
  right: number;
  bottom: number;
  run: GlyphRun | null;
}
