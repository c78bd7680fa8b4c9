/** Inverts dark areas, such as the head of a table or a window of a program, so that their light text becomes dark. */
import type { GreyBitmap } from './grey-bitmap.js';
import type { Ink } from './ink.js';
import { type PixelBox, shapesOf } from './letter-shapes.js';

/** A square of the picture is dark below this mean. */
const darkMax = 115;
/** The number of squares per inch. Squares are smaller than the strokes of large letters. */
const squaresPerInch = 24;
/** Smaller dark areas are strokes. In squares. */
const [widthMin, heightMin] = [12, 3];
/** An area is a rectangle. The text in it covers less than this share. */
const fillMin = 0.6;

export function withoutLightText(bitmap: GreyBitmap, dotsPerInch: number): GreyBitmap {
  const side = Math.max(2, Math.round(dotsPerInch / squaresPerInch));
  const areas = (shapesOf(darkSquares(bitmap, side)) ?? []).filter(({ left, top, right, bottom, ink }) => {
    const [width, height] = [right - left, bottom - top];
    return width >= widthMin && height >= heightMin && ink >= width * height * fillMin;
  });
  if (areas.length === 0) return bitmap;
  const { width, height } = bitmap;
  const lit = { width, height, pixels: bitmap.pixels.slice() };
  for (const { left, top, right, bottom } of outermost(areas)) {
    const area = {
      left: left * side,
      top: top * side,
      right: Math.min(width, right * side),
      bottom: Math.min(height, bottom * side),
    };
    if (isMostlyDark(bitmap, area)) invert(lit, area);
  }
  return lit;
}

/** Whether most of an area is as dark as its darkest part. Otherwise it is paper in a shadow, with dark text. */
function isMostlyDark({ width, pixels }: GreyBitmap, { left, top, right, bottom }: PixelBox): boolean {
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) {
      const level = pixels[at] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
    }
  const all = (right - left) * (bottom - top);
  const [darkest, middle, lightest] = [
    levelAt(counts, all * 0.01),
    levelAt(counts, all / 2),
    levelAt(counts, all * 0.99),
  ];
  return middle - darkest <= lightest - middle;
}

/** The level at or below which `wanted` pixels lie. */
function levelAt(counts: Uint32Array, wanted: number): number {
  let [level, seen] = [0, counts[0] ?? 0];
  while (seen < wanted && level < 255) seen += counts[++level] ?? 0;
  return level;
}

function invert({ width, pixels }: GreyBitmap, { left, top, right, bottom }: PixelBox): void {
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) pixels[at] = 255 - (pixels[at] ?? 0);
}

/** The squares of a picture: 1 for a dark one. The last row and column may be smaller. */
function darkSquares({ width, height, pixels }: GreyBitmap, side: number): Ink {
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)];
  const squares = new Uint8Array(across * down);
  for (let row = 0; row < down; row++)
    for (let column = 0; column < across; column++) {
      const [right, bottom] = [Math.min(width, (column + 1) * side), Math.min(height, (row + 1) * side)];
      let [sum, count] = [0, 0];
      for (let y = row * side; y < bottom; y++)
        for (let x = column * side; x < right; x++) {
          sum += pixels[y * width + x] ?? 0;
          count++;
        }
      squares[row * across + column] = sum < count * darkMax ? 1 : 0;
    }
  return { width: across, height: down, pixels: squares };
}

/** No pixel may be inverted twice. */
function outermost(areas: readonly PixelBox[]): PixelBox[] {
  const largest = areas.toSorted((first, second) => sizeOf(second) - sizeOf(first));
  const kept: PixelBox[] = [];
  for (const area of largest) if (!kept.some((other) => overlaps(area, other))) kept.push(area);
  return kept;
}

function sizeOf({ left, top, right, bottom }: PixelBox): number {
  return (right - left) * (bottom - top);
}

function overlaps(first: PixelBox, second: PixelBox): boolean {
  return (
    first.left < second.right && second.left < first.right && first.top < second.bottom && second.top < first.bottom
  );
}
