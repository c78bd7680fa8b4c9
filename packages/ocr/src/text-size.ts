import { median } from './font-size.js';
import type { Ink } from './ink.js';
import { type Shape, shapesOf } from './letter-shapes.js';

/** Fewer letters do not show the size of a text, or are no letters. */
const [lettersMin, lettersOfTextMin] = [10, 2];
/** Most letters of a text are as high as an `x`, which is half of the size. */
const lowShare = 0.55;

/**
 * The size of most text of a picture in pixels, from the shapes of its ink. Null if the picture has too little text.
 */
export function textSize(ink: Ink): number | null {
  const letters = likeLetters(shapesOf(ink) ?? []);
  if (letters.length < lettersMin) return null;
  return (median(letters.map(({ top, bottom }) => bottom - top)) ?? 0) / lowShare;
}

/** Whether a picture holds shapes that could be letters. False for an empty page, and for noise and screens. */
export function mayHoldText(ink: Ink): boolean {
  const shapes = shapesOf(ink);
  return shapes !== null && likeLetters(shapes).length >= lettersOfTextMin;
}

function likeLetters(shapes: readonly Shape[]): Shape[] {
  return shapes.filter(({ left, top, right, bottom }) => {
    const [width, height] = [right - left, bottom - top];
    return height >= 4 && height <= 100 && width >= 2 && width <= height * 2;
  });
}
