import { expect, it } from '@jest/globals';
import { weightOfWords } from './weight-of-words.js';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

it('an ordinary text weighs nothing, and a longer one as its words, in any script', () => {
  expect(['', words(20)].map(weightOfWords)).toStrictEqual([0, 0]);
  expect(weightOfWords(words(250))).toBe(125);
  expect(weightOfWords('x '.repeat(127))).toBe(64);
  for (const character of '窯か가ก')
    expect([character, weightOfWords(character.repeat(100))]).toStrictEqual([character, 50]);
  expect(weightOfWords('x '.repeat(1_000))).toBe(128);
});
