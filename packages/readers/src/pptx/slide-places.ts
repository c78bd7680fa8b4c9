/**
 * Where the text of a slide stands: in the box of its shape, or of its cell in a table. A slide does not state its lines, so each sentence of a
 * shape has the whole box.
 */
import { type PagePiece, REGION_UNITS } from '@kiln/pdf/layout/page-pieces';
import { childOf, childrenNamed, attributeOf, type XmlElement } from '../xml/xml-tree.js';
import { plainParagraphs } from '../drawing/text-body.js';
import type { Frame, ToSlide } from './slide-frames.js';

/** In English metric units. */
export interface SlideSize {
  width: number;
  height: number;
}

const unitsPerPoint = 12_700;
/** Ten by seven and a half inches, where a file does not state it. */
const usualSize: SlideSize = { width: 9_144_000, height: 6_858_000 };
const piecesMax = 2_000;
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

export function slideSize(presentation: XmlElement | null): SlideSize {
  const stated = childOf(presentation, 'sldSz');
  const [width, height] = stated === null ? [0, 0] : [lengthOf(stated, 'cx'), lengthOf(stated, 'cy')];
  return width > 0 && height > 0 ? { width, height } : usualSize;
}

/** In points. */
export const shownSize = ({ width, height }: SlideSize) => ({
  width: width / unitsPerPoint,
  height: height / unitsPerPoint,
});

export class SlidePlaces {
  readonly pieces: PagePiece[] = [];

  constructor(private readonly size: SlideSize) {}

  /** Places the paragraphs of a text body in the frame. */
  addBody(body: XmlElement | null, frame: Frame | null, toSlide: ToSlide): void {
    for (const paragraph of frame === null ? [] : plainParagraphs(body))
      for (const { segment } of sentences.segment(paragraph)) this.add(segment, frame, toSlide);
  }

  add(text: string, frame: Frame | null, toSlide: ToSlide): void {
    if (frame === null || text.trim() === '' || this.pieces.length >= piecesMax) return;
    const { x, y, width, height } = toSlide.apply(frame);
    const [left, right] = [inUnits(x / this.size.width), inUnits((x + width) / this.size.width)];
    const [top, bottom] = [inUnits(y / this.size.height), inUnits((y + height) / this.size.height)];
    // A shape beside the slide is not shown.
    if (right > left && bottom > top) this.pieces.push({ text, region: [left, top, right - left, bottom - top] });
  }

  /** Places the cells of a table by the widths of its columns and the heights of its rows. A row grows with its text, which is not known here. */
  addTable(table: XmlElement, frame: Frame | null, toSlide: ToSlide): void {
    if (frame === null) return;
    const widths = childrenNamed(childOf(table, 'tblGrid'), 'gridCol').map((column) => lengthOf(column, 'w'));
    const rows = childrenNamed(table, 'tr');
    const across = frame.width / (sum(widths) || 1);
    const down = frame.height / (sum(rows.map((row) => lengthOf(row, 'h'))) || 1);
    let { y } = frame;
    for (const row of rows) {
      const height = lengthOf(row, 'h') * down;
      let { x } = frame;
      for (const [column, cell] of childrenNamed(row, 'tc').entries()) {
        const spanned = Math.max(1, Math.min(widths.length, lengthOf(cell, 'gridSpan')));
        const width = sum(widths.slice(column, column + spanned)) * across;
        this.addBody(childOf(cell, 'txBody'), { x, y, width, height }, toSlide);
        x += (widths[column] ?? 0) * across;
      }
      y += height;
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function lengthOf(element: XmlElement, name: string): number {
  const text = attributeOf(element, name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}

/** Shapes may lie beyond the edge of the slide. */
const inUnits = (share: number): number =>
  Math.round(Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * REGION_UNITS);
