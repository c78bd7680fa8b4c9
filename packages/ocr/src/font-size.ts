/** Estimates the size of a font from the heights of its words. */
import type { PixelBox } from './letter-shapes.js';

/**
 * The height above the base line, in multiples of the size, for most typefaces. The first number is for capitals,
 * digits and `bdfhkl`, the second one for `x`.
 */
const [highShare, lowShare] = [0.7, 0.5];
const high = /[\p{Lu}\p{Nd}bdfhklßβδζθλξбל]/u;
/** Other letters (`i`, `j`, `t`, accents) have other heights. */
const low = /^[acemnorsuvwxzgpqyαεηικμνοπρσςτυχωγавгежзиклмнопрстухцчшщъыьэюяєџљњא-כם-ת.,]+$/;
/** Characters that fill squares, and their height. Tesseract's boxes of them, or its base lines, often reach too far down. */
const square = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const squareShare = 0.9;
/** Letters without case, as of Arabic or Thai, and the height of most words of them. All letters of Hebrew but one are low. */
const uncased = /(?![\p{Script=Latin}\p{Script=Hebrew}])\p{Lo}/u;
const uncasedShare = 0.8;

interface SizedWord extends PixelBox {
  text: string;
}

/** The size of a line of words, in the unit of the boxes. */
export function sizeOf(words: readonly SizedWord[], baseline: number): number {
  const sizes = words.flatMap(({ text, top, bottom }) => {
    if (square.test(text)) return [(Math.min(bottom, Math.max(baseline, (top + bottom) / 2)) - top) / squareShare];
    if (uncased.test(text)) return [(bottom - top) / uncasedShare];
    const share = high.test(text) ? highShare : low.test(text) ? lowShare : null;
    return share === null ? [] : [(baseline - top) / share];
  });
  const size = median(sizes.filter((found) => found > 0));
  return size ?? Math.max(...words.map(({ top, bottom }) => bottom - top), 1) / highShare;
}

/** Whether the size is rough: the script has no letters of known height, or the boxes of its ideographs are inexact. */
export function isRoughSize(words: readonly SizedWord[]): boolean {
  return words.some(({ text }) => uncased.test(text));
}

export function median(values: readonly number[]): number | null {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? null;
}

/** The measured sizes of lines in one face differ by less than this. */
const jitterMax = 0.06;
/** The sizes of short lines differ by less than this. Short lines may have no capitals, or no letters. */
const shortJitterMax = 0.12;
/** Rough sizes differ by less than this, so that only far larger headings are distinguished from text. */
const roughJitterMax = 0.45;
/** Lines with fewer letters are short. */
const shortLettersMax = 30;
const stepsMax = 100;

export interface MeasuredSize {
  size: number;
  letters: number;
  isRough?: boolean;
}

/** The sizes of the text of a document. A size that many letters have is the size of a face. Other sizes belong to a near one. */
export class SizeSteps {
  private readonly steps: MeasuredSize[] = [];

  learn(lines: readonly MeasuredSize[]): void {
    let left = merged(lines).filter((line) => this.stepOf(line) === null);
    while (left.length > 0 && this.steps.length < stepsMax) {
      const near = ({ size }: MeasuredSize): MeasuredSize[] =>
        left.filter((line) => distance(line.size, size) <= (line.isRough === true ? roughJitterMax : jitterMax) / 2);
      const weights = left.map((line) => lettersOf(near(line)));
      const peak = left[weights.indexOf(Math.max(...weights))];
      if (peak === undefined) return;
      const own = near(peak);
      this.steps.push({ size: peak.size, letters: lettersOf(own) });
      left = left.filter((line) => this.stepOf(line) === null);
    }
  }

  round(line: MeasuredSize): number {
    return this.stepOf(line)?.size ?? line.size;
  }

  /** The nearest step that a line may belong to. */
  private stepOf({ size, letters, isRough = false }: MeasuredSize): MeasuredSize | null {
    const most = isRough ? roughJitterMax : letters < shortLettersMax ? shortJitterMax : jitterMax;
    const near = this.steps.filter((step) => distance(size, step.size) <= most);
    return near.sort((first, second) => distance(size, first.size) - distance(size, second.size))[0] ?? null;
  }
}

/** A page may have thousands of lines, but not thousands of sizes. */
function merged(lines: readonly MeasuredSize[]): MeasuredSize[] {
  const sizes = new Map<string, MeasuredSize>();
  for (const { size, letters, isRough = false } of lines) {
    const rounded = Math.round(size * 20) / 20;
    const key = `${rounded} ${isRough}`;
    const before = sizes.get(key)?.letters ?? 0;
    sizes.set(key, { size: rounded, letters: before + letters, isRough });
  }
  return [...sizes.values()];
}

function distance(size: number, step: number): number {
  return Math.abs(size - step) / step;
}

function lettersOf(lines: readonly MeasuredSize[]): number {
  return lines.reduce((sum, { letters }) => sum + letters, 0);
}
