/** Measures how thick the strokes of letters are, because recognition says nothing of bold faces. */
import type { Ink } from './ink.js';
import type { PixelBox } from './letter-shapes.js';
import type { RecognizedLine } from './recognized-words.js';

/** Adds the weight of the strokes to each line. */
export function withWeights(lines: readonly RecognizedLine[], ink: Ink): RecognizedLine[] {
  return lines.map((line) => ({ ...line, weight: strokeWidth(ink, line.words) / line.size }));
}

/** The width of the strokes in boxes: a stroke of width w and height h has w·h pixels, and about 2·h edges. */
function strokeWidth(ink: Ink, boxes: readonly PixelBox[]): number {
  let [pixels, edges] = [0, 0];
  for (const box of boxes) {
    const found = countIn(ink, box);
    pixels += found.pixels;
    edges += found.edges;
  }
  return edges === 0 ? 0 : (2 * pixels) / edges;
}

/** The pixels of ink in a box, and the edges between ink and paper across and along it. */
function countIn({ width, height, pixels }: Ink, box: PixelBox): { pixels: number; edges: number } {
  const [left, top] = [Math.max(1, Math.floor(box.left)), Math.max(1, Math.floor(box.top))];
  const [right, bottom] = [Math.min(width, Math.ceil(box.right)), Math.min(height, Math.ceil(box.bottom))];
  let [inked, edges] = [0, 0];
  for (let y = top; y < bottom; y++)
    for (let at = y * width + left; at < y * width + right; at++) {
      const pixel = pixels[at] ?? 0;
      inked += pixel;
      if (pixel !== pixels[at - 1]) edges++;
      if (pixel !== pixels[at - width]) edges++;
    }
  return { pixels: inked, edges };
}
