import { expect, test } from '@jest/globals';
import { splitSymbols } from './split-words.js';

/** The words of a text, in a font of 20 pixels, in which each space is a gap of seven pixels. */
function wordsOf(text: string): string[] {
  let left = 0;
  const symbols = [];
  for (const letter of text) {
    if (letter !== ' ') symbols.push({ text: letter, left, top: 0, right: left + 8, bottom: 20 });
    left += letter === ' ' ? 5 : 10;
  }
  return splitSymbols(symbols, 20).map((word) => word.map((symbol) => symbol.text).join(''));
}

test('a unit is divided from its number at a gap as wide as a space', () => {
  expect(wordsOf('4.2 kg')).toStrictEqual(['4.2', 'kg']);
  expect(wordsOf('4.2kg')).toStrictEqual(['4.2kg']);
});

test('numbers and words stay whole', () => {
  expect(wordsOf('1 1 2,0 1')).toStrictEqual(['112,01']);
  expect(wordsOf('K I L N 4')).toStrictEqual(['KILN4']);
});
