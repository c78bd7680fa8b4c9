import { describe, expect, it } from '@jest/globals';
import type { TextLanguage } from '@kiln/contracts';
import { randomNumbers } from '@kiln/testing/seed';
import { ClauseMatcher, clauseOf, PhraseMatcher } from './clause.js';

function isIn(phrase: string, text: string, language: TextLanguage = 'english'): boolean {
  const clause = clauseOf(phrase, false, ['english', 'german']);
  return clause !== null && new ClauseMatcher(clause).isIn(text, language);
}

describe('a phrase', () => {
  it('matches its words in order, next to each other, by the terms of the analyzer', () => {
    expect(isIn('running foxes', 'Two FOXES; the fox runs. Run, fox!')).toBe(true);
    expect(isIn('running foxes', 'foxes run. Running red foxes')).toBe(false);
    expect(isIn('creme brulee', 'une Crème-brûlée')).toBe(true);
  });

  it('compares stop words literally', () => {
    expect(isIn('flights to London', 'a flight to London')).toBe(true);
    expect(isIn('flights to London', 'a flight from London')).toBe(false);
    expect(isIn('flights to London', 'flight London')).toBe(false);
  });

  it('matches adjacent characters of scripts without spaces', () => {
    expect(isIn('機械学習', '新しい機械学習の基礎')).toBe(true);
    expect(isIn('機械学習', '機械の学習')).toBe(false);
    expect(isIn('LINEの使', '新LINEの使い方')).toBe(true);
  });

  it('is decided by postings when it is one term', () => {
    const needsText = (text: string) => clauseOf(text, false, ['english'])?.needsText;
    for (const text of ['foxes', ' fox, ', '学習', '学', '1,000'])
      expect([text, needsText(text)]).toStrictEqual([text, false]);
    for (const text of ['red fox', 'the fox', 'fox fox', '機械学', '学 学'])
      expect([text, needsText(text)]).toStrictEqual([text, true]);
  });

  it('asks for nothing when it has only stop words and punctuation', () => {
    for (const text of ['', 'the', 'to be or not to be', '?!']) expect(clauseOf(text, false, ['english'])).toBeNull();
  });

  it('matches its words by the terms of the language of the text', () => {
    expect(isIn('alte Häuser', 'das alte Haus', 'german')).toBe(true);
    expect(isIn('alte Häuser', 'das alte Haus', 'english')).toBe(false);
    expect(isIn('red running', 'a red run')).toBe(true);
    expect(isIn('red running', 'a red run', 'german')).toBe(false);
  });

  it('asks for nothing when it has only stop words in one of the languages; an exclusion asks where it has others', () => {
    expect(clauseOf('not', false, ['english', 'german'])).toBeNull();
    expect(clauseOf('not', true, ['english', 'german'])?.variants).toMatchObject([{ language: 'german' }]);
    const excluded = new ClauseMatcher({ variants: clauseOf('not', true, ['english', 'german'])?.variants ?? [] });
    expect([excluded.isIn('Not', 'german'), excluded.isIn('not', 'english')]).toStrictEqual([true, false]);
  });

  it('matches the same texts as a comparison at every place', () => {
    const random = randomNumbers(5);
    const words = (count: number) => Array.from({ length: count }, () => 'xy'[random(2)] ?? '');
    for (let round = 0; round < 3_000; round++) {
      const phrase = words(1 + random(6));
      const text = words(random(20));
      const expected = ` ${text.join(' ')} `.includes(` ${phrase.join(' ')} `);
      expect([
        phrase,
        text,
        new PhraseMatcher({ words: phrase, language: 'english' }).isIn(text.join(' ')),
      ]).toStrictEqual([phrase, text, expected]);
    }
  });
});
