/** Decides the order of words, and the spaces between them, by their writing systems. */
import type { Word } from '../page-model.js';

const rightToLeftLetter = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const rightToLeftLetters = new RegExp(rightToLeftLetter, 'g');
/** Text with at least this share of right-to-left letters is read from right to left. Other letters are then names. */
const rightToLeftShare = 0.3;
/** Ideographs, kana and Thai are written without spaces; so is their punctuation. */
const unspaced = /[\u0E00-\u0EFF\u1780-\u17FF\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/;

export function isRightToLeft(words: readonly Pick<Word, 'text'>[]): boolean {
  let letters = 0;
  let found = 0;
  for (const { text } of words) {
    letters += text.length;
    if (rightToLeftLetter.test(text)) found += text.match(rightToLeftLetters)?.length ?? 0;
  }
  return found > 0 && found >= letters * rightToLeftShare;
}

/** Whether a character belongs to such a script. */
export function isWrittenWithoutSpaces(character: string): boolean {
  return unspaced.test(character);
}

/** Whether two words that follow each other, even across a line end, are written without a space. */
export function isUnspaced(before: string, after: string): boolean {
  return unspaced.test(before.at(-1) ?? '') && unspaced.test(after.at(0) ?? '');
}

/** The gap between the parts of a word that was divided for its style, in multiples of the size. */
const gapOfPartsMax = 0.1;

const latinLetter = /[A-Za-z\u00C0-\u024F\u0370-\u052F]/;
const latinAtEnd = new RegExp(`${latinLetter.source}$`);

/**
 * Whether right-to-left text continues after a word in another script. It then begins a word, because prefixes stand
 * before such a word and not after.
 */
export function beginsRightToLeft(before: string, after: string): boolean {
  return rightToLeftLetter.test(after) && latinAtEnd.test(before);
}

/**
 * The words of a line in reading order. In a right-to-left line, words of other scripts, and the numbers after them,
 * run to the right (Unicode Standard Annex 9, rules W7 and N1). The parts of one number do, too.
 */
export function inReadingOrder(words: readonly Word[]): Word[] {
  if (!isRightToLeft(words)) return [...words];
  const fromLeft = [...words].sort((first, second) => first.left - second.left);
  const runs: Word[][] = [];
  let isInRun = false;
  let before: Word | null = null;
  for (const word of fromLeft) {
    const isOther = !isRightToLeft([word]);
    const continues: boolean = isOther && (isInRun || (before !== null && touches(before, word)));
    if (continues) runs.at(-1)?.push(word);
    else runs.push([word]);
    isInRun = (continues && isInRun) || latinLetter.test(word.text);
    before = isOther ? word : null;
  }
  return runs.toReversed().flat();
}

/** Whether two words are parts of one. The first word is on the left. */
function touches(before: Word, word: Word): boolean {
  return word.left - before.right <= gapOfPartsMax * word.size;
}
