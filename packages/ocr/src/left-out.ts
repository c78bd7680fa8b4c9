/** Finds the text that Tesseract's search for columns leaves out, such as single digits in the cells of a table. */
import type { PixelBox, Shape } from './letter-shapes.js';
import type { RecognizedLine } from './recognized-words.js';

/** More omissions on a page have another cause. */
const boxesMax = 80;

/** Boxes around shapes that have the height of letters, lie in no word, and stand beside each other. */
export function leftOutBoxes(shapes: readonly Shape[], lines: readonly RecognizedLine[], size: number): PixelBox[] {
  const letters = shapes.filter((shape) => isLetter(shape, size) && !isCovered(shape, lines));
  letters.sort((first, second) => first.left - second.left);
  const boxes: PixelBox[] = [];
  for (const { left, top, right, bottom } of letters) {
    const box = boxes.findLast((other) => left - other.right < size * 0.8 && overlap(other, { top, bottom }) > 0.5);
    if (box === undefined) boxes.push({ left, top, right, bottom });
    else {
      box.right = Math.max(box.right, right);
      box.top = Math.min(box.top, top);
      box.bottom = Math.max(box.bottom, bottom);
    }
    if (boxes.length > boxesMax) return [];
  }
  return boxes.filter((box) => box.bottom - box.top >= size * 0.4);
}

/** The height of letters, in multiples of the size. Lower shapes (`-` and `.`) say nothing alone. */
function isLetter({ left, top, right, bottom, ink }: Shape, size: number): boolean {
  const [width, height] = [right - left, bottom - top];
  const fill = ink / (width * height);
  return height >= size * 0.35 && height <= size * 1.5 && width <= size * 3 && width >= size * 0.08 && fill < 0.95;
}

function isCovered(shape: Shape, lines: readonly RecognizedLine[]): boolean {
  const [x, y] = [(shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2];
  return lines.some(({ words }) =>
    words.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom),
  );
}

/** The overlap of two heights, as a share of the smaller one. */
function overlap(first: Pick<PixelBox, 'top' | 'bottom'>, second: Pick<PixelBox, 'top' | 'bottom'>): number {
  const common = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
  return common / Math.max(1, Math.min(first.bottom - first.top, second.bottom - second.top));
}
