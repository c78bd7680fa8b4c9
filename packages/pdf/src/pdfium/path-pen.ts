import type { Rule } from '../page-model.js';
import type { Point } from '../words/upright.js';

/** The six numbers of a transformation (ISO 32000-1, 8.3.4). */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Kinds of segments (fpdf_edit.h). */
const [lineTo, moveTo] = [0, 2];
/** A fill up to this width is drawn as a line. Underlines and borders are at most 3 points wide. */
const ruleWidthMax = 3.5;
/** A stroke that deviates more from a right angle is slanted. */
const slantMax = 0.75;
/** Shorter strokes are parts of symbols. A row of a table is higher. */
const ruleLengthMin = 4;
/** A rectangle that covers more of both sides is the background of the page. */
const backgroundShareMin = 0.9;

export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [g, h, i, j, k, l] = outer;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

export function visit([a, b, c, d, e, f]: Matrix, x: number, y: number): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/** Follows the segments of one path, and collects its rules. */
export class Pen {
  private readonly rules: Rule[] = [];
  private start: Point = { x: 0, y: 0 };
  private at: Point = { x: 0, y: 0 };
  private points: Point[] = [];
  private hasCurve = false;

  constructor(
    private readonly isStroked: boolean,
    private readonly place: (x: number, y: number) => Point,
  ) {}

  segment(type: number, x: number, y: number, closes: boolean): void {
    const point = this.place(x, y);
    if (type === moveTo) {
      this.endSubpath();
      this.start = point;
      this.points = [point];
    } else {
      if (type === lineTo) this.stroke(this.at, point);
      else this.hasCurve = true;
      this.points.push(point);
    }
    this.at = point;
    if (!closes) return;
    this.stroke(this.at, this.start);
    this.at = this.start;
  }

  /** The rules of the path. A background of the page has none. */
  finish(pageWidth: number, pageHeight: number): Rule[] {
    this.endSubpath();
    return this.rules.filter(
      ({ isHorizontal, from, to, at }) =>
        to - from < backgroundShareMin * (isHorizontal ? pageWidth : pageHeight) ||
        (at > 0.05 * (isHorizontal ? pageHeight : pageWidth) && at < 0.95 * (isHorizontal ? pageHeight : pageWidth)),
    );
  }

  private stroke(from: Point, to: Point): void {
    if (this.isStroked) this.add(from, to);
  }

  private add(from: Point, to: Point): void {
    const [across, along] = [Math.abs(from.x - to.x), Math.abs(from.y - to.y)];
    if (Math.max(across, along) < ruleLengthMin || Math.min(across, along) > slantMax) return;
    const isHorizontal = across > along;
    this.rules.push(
      isHorizontal
        ? { isHorizontal, at: (from.y + to.y) / 2, from: Math.min(from.x, to.x), to: Math.max(from.x, to.x) }
        : { isHorizontal, at: (from.x + to.x) / 2, from: Math.min(from.y, to.y), to: Math.max(from.y, to.y) },
    );
  }

  /** A thin filled shape is a rule. The four edges of a filled rectangle are rules. */
  private endSubpath(): void {
    const { points, hasCurve } = this;
    this.points = [];
    this.hasCurve = false;
    if (this.isStroked || hasCurve || points.length < 4 || points.length > 6) return;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    if (Math.min(right - left, bottom - top) <= ruleWidthMax) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (right - left > bottom - top) this.add({ x: left, y }, { x: right, y });
      else this.add({ x, y: top }, { x, y: bottom });
    } else if (points.every(({ x, y }) => isNear(x, left, right) && isNear(y, top, bottom))) {
      for (const y of [top, bottom]) this.add({ x: left, y }, { x: right, y });
      for (const x of [left, right]) this.add({ x, y: top }, { x, y: bottom });
    }
  }
}

function isNear(value: number, first: number, second: number): boolean {
  return Math.min(Math.abs(value - first), Math.abs(value - second)) <= slantMax;
}
