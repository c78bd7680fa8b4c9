import type { RightAngle, TextStyle } from '../page-model.js';

/** The properties that the glyphs of one text object share. */
export interface GlyphRun {
  /** Null for text at an angle. */
  rotation: RightAngle | null;
  glyphs: number;
  size: number;
  /** The start of the base line. */
  originX: number;
  originY: number;
  style: TextStyle;
  contentId: number;
  /** Whether the font does not state the characters of its codes. The text then consists of the codes. */
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
