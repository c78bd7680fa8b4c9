/** Converts recognized text into the page model of the layout. */
import type { PageContent, Rule, TextStyle, Word } from '@kiln/pdf/page-model';
import { isWrittenWithoutSpaces } from '@kiln/pdf/words/scripts';
import { isRoughSize, SizeSteps } from './font-size.js';
import type { RecognizedPicture } from './recognize-picture.js';
import type { RecognizedLine, RecognizedWord } from './recognized-words.js';
import { lettersOf } from './trusted-lines.js';

/** Recognition does not state the face. The weight is measured. */
const regular: TextStyle = { font: '', isBold: false, isItalic: false, isMono: false };
const bold: TextStyle = { ...regular, isBold: true };
/** Strokes of bold faces are at least a third thicker than those of most text. Strokes of other faces are up to a sixth thicker. */
const boldMin = 1.22;
/** The height of a line of text, above and below its base line, in multiples of the size. */
const [aboveShare, belowShare] = [0.8, 0.2];
/**
 * A larger gap beside an ideograph, in multiples of the size, is a space. Tesseract takes ideographs for words, and its boxes of them are
 * too narrow by up to a quarter of the size on each side.
 */
const ideographGapMin = 0.5;

/** `sizes` are the sizes of the document. */
export function recognizedPage(picture: RecognizedPicture, dotsPerInch: number, sizes: SizeSteps): PageContent {
  const points = 72 / dotsPerInch;
  const words: Word[] = [];
  const measured = new Map(
    picture.lines.map((line) => [
      line,
      { size: line.size * points, letters: lettersOfLine(line), isRough: isRoughSize(line.words) },
    ]),
  );
  sizes.learn([...measured.values()]);
  const usual = usualWeight(picture.lines);
  for (const line of picture.lines) {
    const own = measured.get(line);
    // The weight is a multiple of the size.
    const isBold = own?.isRough === false && line.weight >= usual * boldMin;
    const [size, baseline] = [own === undefined ? 0 : sizes.round(own), line.baseline * points];
    for (const [index, word] of line.words.entries()) {
      const { text, left, right } = word;
      words.push({
        text,
        left: left * points,
        right: right * points,
        top: baseline - size * aboveShare,
        bottom: baseline + size * belowShare,
        baseline,
        size,
        style: isBold ? bold : regular,
        order: words.length,
        isGlued: isGlued(line.words[index - 1], word, line.size),
        link: null,
        contentId: -1,
      });
    }
  }
  return {
    width: picture.width * points,
    height: picture.height * points,
    rotation: ((360 - picture.rotation) % 360) as PageContent['rotation'],
    skew: picture.skew,
    words,
    turned: [],
    rules: rulesOf(picture, points),
    structure: null,
  };
}

/** Whether a word follows without a space. Words of scripts with spaces never do. */
function isGlued(before: RecognizedWord | undefined, word: RecognizedWord, size: number): boolean {
  if (before === undefined || word.left - before.right >= size * ideographGapMin) return false;
  return isWrittenWithoutSpaces(before.text.at(-1) ?? '') || isWrittenWithoutSpaces(word.text.at(0) ?? '');
}

/** The median weight of the letters. */
function usualWeight(lines: readonly RecognizedLine[]): number {
  const sorted = lines.toSorted((first, second) => first.weight - second.weight);
  let left = sorted.reduce((sum, line) => sum + lettersOfLine(line), 0) / 2;
  return sorted.find((line) => (left -= lettersOfLine(line)) <= 0)?.weight ?? Infinity;
}

function lettersOfLine({ words }: RecognizedLine): number {
  return words.reduce((sum, word) => sum + lettersOf(word), 0);
}

function rulesOf({ rules }: RecognizedPicture, points: number): Rule[] {
  return rules.map(({ isHorizontal, from, to, start, end }) => ({
    isHorizontal,
    at: ((start + end) / 2) * points,
    from: from * points,
    to: to * points,
  }));
}
