import { describe, expect, it } from '@jest/globals';
import { countWords } from './count-words.js';

describe('counting words', () => {
  it('counts runs of letters and digits, and none of the marks of markdown', () => {
    expect(countWords('# Über *2* Zeilen\n\n| a | b |\n| --- | --- |')).toBe(5);
    expect(countWords(' — … - * # ')).toBe(0);
    expect(countWords('')).toBe(0);
  });

  it('counts letters joined by an apostrophe, a point or a comma as one word', () => {
    expect(countWords("don't don’t 1,000.5 e.g.")).toBe(4);
    expect(countWords("a..b ,c' 'd'")).toBe(4);
  });

  it.each(["It's 1,000.5 — “naïve” a..b, c' → ok", 'one two’s 3.4'])(
    'gives the same count when the text contains characters of other scripts: %s',
    (text) => {
      expect(countWords(`${text} я`)).toBe(countWords(text) + 1);
    },
  );

  it('counts scripts without spaces by character', () => {
    expect(countWords('漢字かな')).toBe(4);
  });
});
