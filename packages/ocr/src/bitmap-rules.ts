/** Finds the straight lines of a picture, such as the rules of a table, and removes them, because they disturb recognition. */
import type { GreyBitmap } from './grey-bitmap.js';
import type { Ink } from './ink.js';

/** A line of pixels. It covers the rows or columns from `from` to `to`, at `at`. Ends are exclusive. */
export interface BitmapRule {
  isHorizontal: boolean;
  from: number;
  to: number;
  /** The first covered row or column, and the one after the last. */
  start: number;
  end: number;
}

export interface RuleSizes {
  /** Shorter lines are strokes of letters. In pixels. */
  lengthMin: number;
  /** Thicker lines are areas or large letters. In pixels. */
  thicknessMax: number;
}

const rulesMax = 2_000;

export function findRules(ink: Ink, sizes: RuleSizes): BitmapRule[] {
  return [...linesOf(ink, sizes, true), ...linesOf(ink, sizes, false)];
}

/** Bands of runs of ink that lie above each other. */
function linesOf({ width, height, pixels }: Ink, sizes: RuleSizes, isHorizontal: boolean): BitmapRule[] {
  const [length, count] = isHorizontal ? [width, height] : [height, width];
  const [step, next] = isHorizontal ? [1, width] : [width, 1];
  const found: BitmapRule[] = [];
  let open: BitmapRule[] = [];
  for (let at = 0; at < count; at++) {
    const runs: [number, number][] = [];
    let from = -1;
    for (let index = 0; index <= length; index++) {
      const isInk = index < length && pixels[at * next + index * step] === 1;
      if (isInk && from < 0) from = index;
      if (isInk || from < 0) continue;
      if (index - from >= sizes.lengthMin) runs.push([from, index]);
      from = -1;
    }
    const going: BitmapRule[] = [];
    for (const [first, last] of runs) {
      const band = open.find((rule) => rule.from < last && rule.to > first);
      if (band === undefined) going.push({ isHorizontal, from: first, to: last, start: at, end: at + 1 });
      else {
        Object.assign(band, { from: Math.min(band.from, first), to: Math.max(band.to, last), end: at + 1 });
        if (!going.includes(band)) going.push(band);
      }
    }
    found.push(...open.filter((rule) => !going.includes(rule)));
    open = going;
  }
  found.push(...open);
  // A skewed line consists of short runs, each a little lower than the last. The slope must not count as thickness.
  return found.filter(({ start, end }) => end - start <= sizes.thicknessMax).slice(0, rulesMax);
}

/** The picture without lines. Letters that touch a line keep their strokes. */
export function withoutRules(bitmap: GreyBitmap, ink: Ink, rules: readonly BitmapRule[]): GreyBitmap {
  if (rules.length === 0) return bitmap;
  const clean = { ...bitmap, pixels: bitmap.pixels.slice() };
  const left = { ...ink, pixels: ink.pixels.slice() };
  // The second pass no longer sees the lines that cross a line.
  for (let time = 0; time < 2; time++) for (const rule of rules) erase(clean, left, rule);
  return clean;
}

/** The pixels beside a line are its grey edges. */
const around = 1;

function erase(bitmap: GreyBitmap, ink: Ink, { isHorizontal, from, to, start, end }: BitmapRule): void {
  const { width, height, pixels } = bitmap;
  const [length, count] = isHorizontal ? [width, height] : [height, width];
  const [step, next] = isHorizontal ? [1, width] : [width, 1];
  const [first, last] = [Math.max(0, start - around), Math.min(count, end + around)];
  const isInk = (at: number, index: number): boolean =>
    at >= 0 && at < count && ink.pixels[at * next + index * step] === 1;
  for (let index = Math.max(0, from - around); index < Math.min(length, to + around); index++) {
    if (isInk(first - 1, index) && isInk(last, index)) continue;
    for (let at = first; at < last; at++) {
      pixels[at * next + index * step] = 255;
      ink.pixels[at * next + index * step] = 0;
    }
  }
}
