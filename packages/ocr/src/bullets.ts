/** Finds the bullets of lists. Tesseract leaves them out, or reads letters and signs into them. */
import type { PixelBox, Shape } from './letter-shapes.js';
import type { RecognizedLine, RecognizedWord } from './recognized-words.js';

/** A bullet is smaller than an `x`, and larger than a full stop in most faces. All numbers are multiples of the size of the line. */
const [sideMin, sideMax] = [0.18, 0.48];
/** A bullet is a disc or a square, without a hole. A disc covers π/4 of its box. Small discs are less exact. */
const [fillMin, sidesRatioMax] = [0.66, 1.4];
/** The height of a bullet's middle above the base line. Full stops are lower, apostrophes higher. */
const [heightMin, heightMax] = [0.14, 0.5];
/** The gap between a bullet and its text. A larger gap separates columns. */
const [gapMin, gapMax] = [0.15, 2.5];
/** If other text is closer on the left, the sign stands within a line, and separates names. */
const freeMin = 1;
/** Items of a list begin at one edge. */
const sameEdgeMax = 0.3;
/** A single shape may be a speck. */
const itemsMin = 2;

interface FoundBullet {
  line: RecognizedLine;
  shape: Shape;
}

/** Adds bullets as the first words of list items. */
export function withBullets(lines: readonly RecognizedLine[], shapes: readonly Shape[]): RecognizedLine[] {
  const largest = Math.max(0, ...lines.map(({ size }) => size));
  const dots = shapes.filter((shape) => isDot(shape, largest));
  if (dots.length < itemsMin) return [...lines];
  const found = lines.flatMap((line) => {
    const shape = dots.find((dot) => isBulletOf(dot, line, lines));
    return shape === undefined ? [] : [{ line, shape }];
  });
  const bullets = new Map(found.filter((bullet) => isInList(bullet, found)).map(({ line, shape }) => [line, shape]));
  return lines.map((line) => {
    const shape = bullets.get(line);
    return shape === undefined ? line : { ...line, words: [bulletWord(shape), ...wordsBehind(shape, line)] };
  });
}

function isDot({ left, top, right, bottom, ink }: Shape, size: number): boolean {
  const [width, height] = [right - left, bottom - top];
  return (
    Math.max(width, height) <= size * sideMax &&
    Math.max(width, height) <= Math.min(width, height) * sidesRatioMax &&
    ink >= width * height * fillMin
  );
}

function isBulletOf(dot: Shape, line: RecognizedLine, lines: readonly RecognizedLine[]): boolean {
  const { size, baseline } = line;
  const above = baseline - (dot.top + dot.bottom) / 2;
  const side = Math.min(dot.right - dot.left, dot.bottom - dot.top);
  if (above < heightMin * size || above > heightMax * size || side < sideMin * size || side > sideMax * size)
    return false;
  const behind = wordsBehind(dot, line);
  // Tesseract may recognize the bullet as one word.
  const [first] = behind;
  if (first === undefined || line.words.length - behind.length > 1) return false;
  const gap = first.left - dot.right;
  return gap >= gapMin * size && gap <= gapMax * size && isFree(dot, line, lines);
}

/** The words on the right of a bullet. */
function wordsBehind(dot: PixelBox, { words }: RecognizedLine): RecognizedWord[] {
  return words.filter(({ left }) => left >= dot.right);
}

/** Whether no text is close on the left, and no word around the bullet, except one that was read into it. */
function isFree(dot: PixelBox, { size, baseline }: RecognizedLine, lines: readonly RecognizedLine[]): boolean {
  const near = lines.filter((line) => Math.abs(line.baseline - baseline) < size / 2).flatMap(({ words }) => words);
  return near.every(
    ({ text, left, right }) =>
      left >= dot.right ||
      right <= dot.left - freeMin * size ||
      (text.length <= 2 && right - left <= size && right > dot.left),
  );
}

function isInList({ line, shape }: FoundBullet, found: readonly FoundBullet[]): boolean {
  const peers = found.filter(
    (other) =>
      Math.abs(other.shape.left - shape.left) <= sameEdgeMax * line.size &&
      Math.abs(other.shape.right - shape.right) <= sameEdgeMax * line.size,
  );
  return peers.length >= itemsMin;
}

function bulletWord({ left, top, right, bottom }: Shape): RecognizedWord {
  return { text: '•', confidence: 100, left, top, right, bottom };
}
