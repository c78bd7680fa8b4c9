/** Reads the text of a picture: makes its background white, finds its rotation, removes its rules, and recognizes the rest. */
import { type BitmapRule, findRules, type RuleSizes, withoutRules } from './bitmap-rules.js';
import { withBullets } from './bullets.js';
import { evenBackground } from './even-background.js';
import { type GreyBitmap, turnedBitmap } from './grey-bitmap.js';
import { type Ink, inkOf } from './ink.js';
import { leftOutBoxes } from './left-out.js';
import { type PixelBox, type Shape, shapesOf } from './letter-shapes.js';
import { withoutLightText } from './light-text.js';
import type { RecognizedLine } from './recognized-words.js';
import { alongside, sharpnessOf, skewOf, straightened } from './skew.js';
import { withWeights } from './stroke-weight.js';
import { mayHoldText } from './text-size.js';
import type { Tesseract } from './tesseract.js';
import { isSideways, sureLetters, sureShare, trustedLines, uprightShare } from './trusted-lines.js';

/** The clockwise rotation, in degrees, that makes the text upright. */
export type Rotation = 0 | 90 | 180 | 270;

export interface RecognizedPicture {
  /** The size of the picture after the rotation. In pixels. */
  width: number;
  height: number;
  rotation: Rotation;
  /** In degrees, clockwise. The lines are those of the picture without its skew. */
  skew: number;
  lines: RecognizedLine[];
  rules: BitmapRule[];
}

export interface PictureReading extends RecognizedPicture {
  /** The share of sure letters, before noise was removed. 1 if nothing was read. */
  sureShare: number;
}

/** If a smaller share is sure, the picture may be upside down. */
const uprightShareMin = 0.6;
/** Lines of text stand out in their own direction by at least this factor. */
const clearFactor = 1.4;

/** `dotsPerInch` may be an estimate. `rotation` is tried first. */
export function recognizePicture(
  tesseract: Tesseract,
  picture: GreyBitmap,
  dotsPerInch: number,
  rotation: Rotation = 0,
): PictureReading {
  const even = evenBackground(withoutLightText(picture, dotsPerInch), Math.round(dotsPerInch / 16));
  const ink = inkOf(even);
  if (!mayHoldText(ink))
    return { width: even.width, height: even.height, rotation, skew: 0, lines: [], rules: [], sureShare: 1 };
  const sizes = { lengthMin: dotsPerInch * 0.4, thicknessMax: Math.max(3, dotsPerInch / 25) };
  const attempts = rotationsToTry(inkOf(withoutRules(even, ink, findRules(ink, sizes))), rotation);
  let best: { reading: RecognizedPicture; letters: number } | null = null;
  // The list may grow during the loop.
  for (const attempt of attempts) {
    const reading = readUpright(tesseract, attempt === 0 ? even : turnedBitmap(even, attempt), attempt, sizes);
    const upright = uprightShare(reading.lines);
    const letters = sureLetters(reading.lines) * upright;
    if (best === null || letters > best.letters) best = { reading, letters };
    if (sureShare(reading.lines) * upright >= uprightShareMin) break;
    if (isSideways(reading.lines)) attempts.push(...besides(attempt).filter((side) => !attempts.includes(side)));
  }
  tesseract.clear();
  if (best === null) throw new RangeError('a picture has at least one rotation');
  const { lines } = best.reading;
  return { ...best.reading, lines: trustedLines(lines), sureShare: lines.length === 0 ? 1 : sureShare(lines) };
}

/** The rotations at a right angle to the given one. */
function besides(rotation: Rotation): Rotation[] {
  return rotation % 180 === 0 ? [90, 270] : [0, 180];
}

/**
 * The likeliest rotation first. Lines of text show whether the text runs across or along the picture, but not which end
 * is up. Pictures without lines are read once.
 */
function rotationsToTry(ink: Ink, likely: Rotation): Rotation[] {
  const across = sharpnessOf(ink);
  const along = sharpnessOf(alongside(ink));
  if (Math.max(across, along) < Math.min(across, along) * clearFactor) return [likely];
  const rotations: Rotation[] = along > across ? [90, 270] : [0, 180];
  return rotations.includes(likely) ? [likely, ...rotations.filter((rotation) => rotation !== likely)] : rotations;
}

function readUpright(
  tesseract: Tesseract,
  picture: GreyBitmap,
  rotation: Rotation,
  sizes: RuleSizes,
): RecognizedPicture {
  let straight = picture;
  let ink = inkOf(straight);
  const skew = skewOf(ink);
  if (skew !== 0) {
    straight = straightened(picture, skew);
    ink = inkOf(straight);
  }
  const rules = findRules(ink, sizes);
  const clean = withoutRules(straight, ink, rules);
  const { width, height } = clean;
  const cleanInk = inkOf(clean);
  const shapes = shapesOf(cleanInk) ?? [];
  const lines = withBullets(tesseract.readPage(clean), shapes);
  for (const box of leftOut(clean, shapes, lines)) lines.push(...tesseract.readLine(box));
  return { width, height, rotation, skew, lines: withWeights(lines, cleanInk), rules };
}

function leftOut(
  { width, height }: GreyBitmap,
  shapes: readonly Shape[],
  lines: readonly RecognizedLine[],
): PixelBox[] {
  if (shapes.length === 0) return [];
  const heights = lines.length > 0 ? lines.map(({ size }) => size) : shapes.map(({ top, bottom }) => bottom - top);
  const size = heights.sort((first, second) => first - second)[Math.floor(heights.length / 2)] ?? 0;
  const margin = Math.round(size / 4);
  return leftOutBoxes(shapes, lines, size).map(({ left, top, right, bottom }) => ({
    left: Math.max(0, left - margin),
    top: Math.max(0, top - margin),
    right: Math.min(width, right + margin),
    bottom: Math.min(height, bottom + margin),
  }));
}
