/** Joins glyphs into words. */
import type { Box, TurnedLine, Word, RightAngle } from '../page-model.js';
import type { Glyph, GlyphRun } from './glyph.js';
import { withOrderedLigatures } from './ligature-order.js';
import { beginsRightToLeft } from './scripts.js';
import type { Frame } from './upright.js';

/**
 * A larger gap, in multiples of the size, is a space. The spaces of fonts are .25 and more. TeX writes no spaces and
 * shrinks its gaps to .22. Kerning moves glyphs by less than .1.
 */
const spaceMin = 0.2;
/**
 * pdfium gives the letters of a ligature the place of the first one, and their own widths. The rest of the ligature is
 * then a gap, which is narrower than this.
 */
const ligatureRestMax = 0.6;
/** If pdfium found a space in a smaller gap, the gap is kerning. */
const kerningMax = 0.04;
/**
 * A glyph does not follow the one before if it starts further to the left, in multiples of the size. Accents start less
 * far to the left.
 */
const backMax = 0.15;
/** The base lines of one word differ by less, in multiples of the size. */
const baselineTolerance = 0.1;

export interface PageWords {
  words: Word[];
  turned: TurnedLine[];
}

/** The words of a page. Glyphs at an angle to `rotation` become lines of their own, in the order of the file. */
export function wordsOf(glyphs: readonly Glyph[], frame: Frame, rotation: RightAngle): PageWords {
  const builder = new WordBuilder();
  const turned: TurnedLine[] = [];
  let line: TurnedLine | null = null;
  let order = 0;
  for (const glyph of withOrderedLigatures(glyphs)) {
    order++;
    const { run } = glyph;
    if (run === null) {
      builder.space();
      if (line !== null) line.text += ' ';
      if (glyph.isLineEnd) line = null;
      continue;
    }
    const box = frame.box(glyph);
    if (isOutside(box, frame)) continue;
    if (run.rotation === rotation) {
      line = null;
      builder.add(glyph.text, box, run, frame.point(run.originX, run.originY).y, order);
    } else if (line === null) {
      builder.space();
      line = { ...box, text: glyph.text, size: run.size, order };
      turned.push(line);
    } else {
      line.text += glyph.text;
      extend(line, box);
    }
  }
  return { words: builder.words, turned: turned.filter(({ text }) => text.trim() !== '') };
}

function isOutside({ left, top, right, bottom }: Box, { width, height }: Frame): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return !(x >= 0 && x <= width && y >= 0 && y <= height);
}

function extend(box: Box, by: Box): void {
  box.left = Math.min(box.left, by.left);
  box.top = Math.min(box.top, by.top);
  box.right = Math.max(box.right, by.right);
  box.bottom = Math.max(box.bottom, by.bottom);
}

/** A vowel sign or an accent, which is drawn over a letter. */
const mark = /^\p{Mn}$/u;

class WordBuilder {
  readonly words: Word[] = [];
  private word: Word | null = null;
  private run: GlyphRun | null = null;
  private last: Box = { left: 0, top: 0, right: 0, bottom: 0 };
  private isAfterSpace = true;
  private isAfterLigature = false;
  /** A mark that stands before its letter. */
  private pendingMark: { text: string; box: Box } | null = null;

  space(): void {
    this.isAfterSpace = true;
  }

  add(text: string, box: Box, run: GlyphRun, baseline: number, order: number): void {
    if (!mark.test(text)) this.addLetter(text, box, run, baseline, order);
    else if (this.word !== null && isOver(box, this.last)) this.word.text += text;
    else this.pendingMark = { text, box };
  }

  private addLetter(text: string, box: Box, run: GlyphRun, baseline: number, order: number): void {
    const { word } = this;
    const before = word === null || beginsRightToLeft(word.text, text) ? null : word;
    const joins = before !== null && this.continues(before, box, baseline, run.size);
    if (before !== null && joins && this.hasStyle(run)) {
      before.text += text;
      before.left = Math.min(before.left, box.left);
      before.right = Math.max(before.right, box.right);
    } else {
      this.word = {
        text,
        left: box.left,
        right: box.right,
        // The height of a line of text. The boxes of fonts differ too much to be compared.
        top: baseline - run.size * 0.8,
        bottom: baseline + run.size * 0.2,
        baseline,
        size: run.size,
        style: run.style,
        order,
        isGlued: joins || (before !== null && this.isRaised(before, box, baseline, run.size)),
        link: null,
        contentId: run.contentId,
      };
      this.words.push(this.word);
    }
    this.isAfterLigature = joins && box.left === this.last.left && run === this.run;
    this.run = run;
    this.last = box;
    this.isAfterSpace = false;
    if (this.word !== null && this.pendingMark !== null) this.word.text += this.pendingMark.text;
    this.pendingMark = null;
  }

  private continues(word: Word, box: Box, baseline: number, size: number): boolean {
    return Math.abs(baseline - word.baseline) <= baselineTolerance * size && this.isNext(word, box, size);
  }

  /** Whether a glyph is a superscript or subscript of the word before it. */
  private isRaised(word: Word, box: Box, baseline: number, size: number): boolean {
    const larger = Math.max(size, word.size);
    return Math.abs(baseline - word.baseline) <= larger * 0.6 && this.isNext(word, box, larger);
  }

  /** Whether a glyph follows the last one without a space. The letters of a ligature share one place. */
  private isNext(word: Word, box: Box, size: number): boolean {
    const { last } = this;
    const gapMax = (this.isAfterSpace ? kerningMax : this.isAfterLigature ? ligatureRestMax : spaceMin) * size;
    const isForward = box.left >= last.left - backMax * size && box.left - word.right <= gapMax;
    // In right-to-left text, the next glyph is on the left.
    return isForward || (box.right <= last.right + backMax * size && word.left - box.right <= gapMax);
  }

  private hasStyle({ style, size, contentId }: GlyphRun): boolean {
    const { run } = this;
    return (
      run !== null && run.style === style && Math.abs(run.size - size) < size * 0.05 && run.contentId === contentId
    );
  }
}

function isOver(sign: Box, letter: Box): boolean {
  const middle = (sign.left + sign.right) / 2;
  return middle >= letter.left && middle <= letter.right;
}
