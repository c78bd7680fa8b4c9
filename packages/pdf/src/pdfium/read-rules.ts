import type { Rule } from '../page-model.js';
import type { Frame } from '../words/upright.js';
import { identity, type Matrix, multiply, Pen, visit } from './path-pen.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

const [pathObject, formObject] = [2, 5];
/** Maps and plots have more paths than tables. Paths beyond this number are not read. */
const objectsMax = 50_000;
const segmentsMax = 100_000;
/** A path with more segments is a drawing. */
const segmentsOfPathMax = 2_000;
const formLevelsMax = 8;
/** Each component of a color ranges to 255. A fill as light as this is invisible on paper. */
const whiteMin = 250;

/** The rules that a page draws: straight strokes, thin fills, and the edges of filled rectangles. */
export function readRules(pdfium: RawPdfium, page: number, buffer: ResultBuffer, frame: Frame): Rule[] {
  return new RuleReader(pdfium, buffer, frame).read(page);
}

class RuleReader {
  private readonly rules: Rule[] = [];
  private objects = 0;
  private segments = 0;

  constructor(
    private readonly pdfium: RawPdfium,
    private readonly buffer: ResultBuffer,
    private readonly frame: Frame,
  ) {}

  read(page: number): Rule[] {
    const { pdfium } = this;
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let index = 0; index < count && this.objects < objectsMax; index++)
      this.object(pdfium.FPDFPage_GetObject(page, index), identity, 0);
    return this.rules;
  }

  private object(object: number, outer: Matrix, level: number): void {
    const { pdfium } = this;
    this.objects++;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === pathObject) this.path(object, outer);
    if (type !== formObject || level >= formLevelsMax) return;
    const matrix = multiply(this.matrix(object), outer);
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && this.objects < objectsMax; index++)
      this.object(pdfium.FPDFFormObj_GetObject(object, index), matrix, level + 1);
  }

  private path(path: number, outer: Matrix): void {
    const { pdfium, frame } = this;
    const count = pdfium.FPDFPath_CountSegments(path);
    this.segments += count;
    if (count < 2 || count > segmentsOfPathMax || this.segments > segmentsMax) return;
    const paint = this.paint(path);
    if (paint === null) return;
    const matrix = multiply(this.matrix(path), outer);
    const pen = new Pen(paint === 'stroke', (x, y) => {
      const point = visit(matrix, x, y);
      return frame.point(point.x, point.y);
    });
    for (let index = 0; index < count; index++) {
      const segment = pdfium.FPDFPath_GetPathSegment(path, index);
      pdfium.FPDFPathSegment_GetPoint(segment, this.buffer.pointer, this.buffer.pointer + 4);
      pen.segment(
        pdfium.FPDFPathSegment_GetType(segment),
        this.buffer.float(0),
        this.buffer.float(1),
        pdfium.FPDFPathSegment_GetClose(segment) !== 0,
      );
    }
    for (const rule of pen.finish(frame.width, frame.height)) this.rules.push(rule);
  }

  /** The visible parts of a path. */
  private paint(path: number): 'stroke' | 'fill' | null {
    const { pdfium, buffer } = this;
    const { pointer } = buffer;
    pdfium.FPDFPath_GetDrawMode(path, pointer, pointer + 4);
    const [isFilled, isStroked] = [buffer.integer(0) !== 0, buffer.integer(1) !== 0];
    if (isStroked) return 'stroke';
    if (!isFilled) return null;
    pdfium.FPDFPageObj_GetFillColor(path, pointer, pointer + 4, pointer + 8, pointer + 12);
    const isVisible = [0, 1, 2].some((part) => buffer.integer(part) < whiteMin) && buffer.integer(3) > 0;
    return isVisible ? 'fill' : null;
  }

  private matrix(object: number): Matrix {
    const { buffer } = this;
    if (this.pdfium.FPDFPageObj_GetMatrix(object, buffer.pointer) === 0) return identity;
    return [buffer.float(0), buffer.float(1), buffer.float(2), buffer.float(3), buffer.float(4), buffer.float(5)];
  }
}
