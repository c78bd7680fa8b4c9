/** Measures the skew of a picture: the angle of its lines, because scanners feed paper askew. */
import type { Ink } from './ink.js';
import { type GreyBitmap, turnedBitmap } from './grey-bitmap.js';

const degreesMax = 5;
const coarseStep = 0.5;
const fineStep = 0.1;
/** A smaller angle is not worth a change of the picture. */
const degreesMin = 0.25;
/** For speed, the picture is read in cells. Its shorter side has this many. */
const cellsAcross = 600;
/** At the best angle, lines stand out more than in the original picture, by this factor. */
const gainMin = 1.05;
/** Rows of text have a higher sharpness (see `sharpnessOf`). Photographs have about 1 to 2. */
const linesMin = 2.5;

/** The skew in degrees, clockwise. 0 if no angle makes the lines stand out more. */
export function skewOf(ink: Ink): number {
  const points = inkPoints(ink);
  if (points.length < 200) return 0;
  const level = sharpness(points, 0);
  let [best, most] = [0, level];
  const attempt = (degrees: number): void => {
    const found = sharpness(points, degrees);
    if (found > most) [best, most] = [degrees, found];
  };
  for (let degrees = -degreesMax; degrees <= degreesMax; degrees += coarseStep) attempt(degrees);
  const center = best;
  for (let delta = -coarseStep; delta <= coarseStep; delta += fineStep) attempt(center + delta);
  return Math.abs(best) < degreesMin || most < level * gainMin ? 0 : best;
}

/** The contrast between the rows of a picture: 1 for evenly spread ink, more for lines. */
export function sharpnessOf(ink: Ink): number {
  const points = inkPoints(ink);
  const count = points.length / 2;
  return count === 0 ? 1 : (sharpness(points, 0) / count / count) * (ink.height / cellSide(ink));
}

/** Whether a picture consists of lines of text, across or along it. Photographs and drawings do not. */
export function hasLines(ink: Ink): boolean {
  return sharpnessOf(ink) >= linesMin || sharpnessOf(alongside(ink)) >= linesMin;
}

/** The picture, turned on its side. */
export function alongside({ width, height, pixels }: Ink): Ink {
  return turnedBitmap({ width, height, pixels }, 90);
}

function cellSide({ width, height }: Ink): number {
  return Math.max(1, Math.floor(Math.min(width, height) / cellsAcross));
}

/** Alternating x and y of the cells at the lower edges of ink. */
function inkPoints(ink: Ink): Float32Array {
  const { width, height, pixels } = ink;
  const side = cellSide(ink);
  const points: number[] = [];
  for (let y = side; y + side < height; y += side)
    for (let x = side; x + side < width; x += side) {
      const at = y * width + x;
      // The lower edges of letters are the sharpest sign of a line.
      if (pixels[at] === 1 && pixels[at + side * width] === 0) points.push(x / side, y / side);
    }
  return Float32Array.from(points);
}

/** The sum of the squares of points for each line of an angle. It is higher if the points are less evenly divided. */
function sharpness(points: Float32Array, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const rows = new Map<number, number>();
  for (let index = 0; index < points.length; index += 2) {
    const row = Math.round((points[index + 1] ?? 0) - (points[index] ?? 0) * slope);
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  let sum = 0;
  for (const count of rows.values()) sum += count * count;
  return sum;
}

/** The picture, turned back by its skew around its center. Areas from outside are white. */
export function straightened({ width, height, pixels }: GreyBitmap, degrees: number): GreyBitmap {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const [middleX, middleY] = [width / 2, height / 2];
  const straight = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const fromX = (x - middleX) * cosine - (y - middleY) * sine + middleX;
      const fromY = (x - middleX) * sine + (y - middleY) * cosine + middleY;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const [right, down, at] = [fromX - left, fromY - top, top * width + left];
      const above = (pixels[at] ?? 0) * (1 - right) + (pixels[at + 1] ?? 0) * right;
      const below = (pixels[at + width] ?? 0) * (1 - right) + (pixels[at + width + 1] ?? 0) * right;
      straight[y * width + x] = above * (1 - down) + below * down;
    }
  return { width, height, pixels: straight };
}
