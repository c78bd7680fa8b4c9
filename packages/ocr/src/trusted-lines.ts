/** Removes false text, which Tesseract reads into photographs, drawings, specks and rules. */
import type { RecognizedLine, RecognizedWord } from './recognized-words.js';

/** Words with a lower confidence are rarely right. Words with a higher one mostly are. */
const sureMin = 60;
/** In a line of sure words, a word with a lower confidence is a speck. */
const wordMin = 25;
/** A mark without letters or digits needs a higher confidence, because rules and specks look like marks. */
const markMin = 75;
/** If a smaller share of a picture is sure, it may be a photograph. Then lines need a higher confidence and more letters. */
const textShareMin = 0.5;
const lineMinOnPictures = 80;
const lettersMinOnPictures = 4;
const longWordMin = 4;
const wordsOfSidewaysMin = 3;

export function trustedLines(lines: readonly RecognizedLine[]): RecognizedLine[] {
  const share = sureShare(lines);
  return lines.flatMap((line) => {
    const words = line.words.filter((word) => word.confidence >= (lettersOf(word) === 0 ? markMin : wordMin));
    const letters = words.reduce((sum, word) => sum + lettersOf(word), 0);
    const mean = meanConfidence(words);
    const isTrusted =
      share >= textShareMin
        ? letters > 0 && mean >= sureMin
        : letters >= lettersMinOnPictures && mean >= lineMinOnPictures;
    return isTrusted ? [{ ...line, words }] : [];
  });
}

/** The share of letters in sure words. 0 if the picture has no letters. */
export function sureShare(lines: readonly RecognizedLine[]): number {
  let [sure, all] = [0, 0];
  for (const { words } of lines)
    for (const word of words) {
      all += word.text.length;
      if (word.confidence >= sureMin) sure += lettersOf(word);
    }
  return all === 0 ? 0 : sure / all;
}

/** The number of letters that are read with certainty. */
export function sureLetters(lines: readonly RecognizedLine[]): number {
  let sure = 0;
  for (const { words } of lines) for (const word of words) if (word.confidence >= sureMin) sure += lettersOf(word);
  return sure;
}

/** The share of the longer words that are wider than high. Tesseract also reads lines that run upwards. 1 if there are no longer words. */
export function uprightShare(lines: readonly RecognizedLine[]): number {
  const words = lines.flatMap((line) => line.words.filter((word) => lettersOf(word) >= longWordMin));
  const upright = words.filter(({ left, top, right, bottom }) => right - left > bottom - top);
  return words.length === 0 ? 1 : upright.length / words.length;
}

/**
 * Whether most sure words run upwards or downwards, as in a picture on its side. A few such words are labels of axes.
 */
export function isSideways(lines: readonly RecognizedLine[]): boolean {
  const sure = lines.map((line) => ({
    ...line,
    words: line.words.filter((word) => word.confidence >= sureMin && lettersOf(word) >= longWordMin),
  }));
  return sure.reduce((sum, { words }) => sum + words.length, 0) >= wordsOfSidewaysMin && uprightShare(sure) < 0.5;
}

/** The vowels and tones of many scripts are marks. */
export function lettersOf({ text }: Pick<RecognizedWord, 'text'>): number {
  return text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
}

function meanConfidence(words: readonly RecognizedWord[]): number {
  let [sum, letters] = [0, 0];
  for (const word of words) {
    const weight = Math.max(1, lettersOf(word));
    sum += word.confidence * weight;
    letters += weight;
  }
  return letters === 0 ? 0 : sum / letters;
}
