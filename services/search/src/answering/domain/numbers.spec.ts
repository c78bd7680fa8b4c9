import { describe, expect, it } from '@jest/globals';
import type { TextLanguage } from '@kiln/contracts';
import { isAmong, numbersOf, powersIn, readingsIn } from './numbers.js';

function containsAll(source: string, statement: string, language: TextLanguage = 'english'): boolean {
  const known = readingsIn(source, language, powersIn(source));
  return numbersOf(statement, language).every((number) => isAmong(number, known));
}

describe('the numbers of a statement', () => {
  it.each([
    ['1,200 degrees', '1200'],
    ['1200', 'at 1 200 degrees'],
    ["1'234'567", '1.234.567'],
    ['12\u202f000', '12,000'],
    ['1.50', '1,5'],
    ['1.2', '1,2'],
    ['2,000,000', 'two million'],
    ['1.2 million', '1,200,000'],
    ['Sales in million euros: 1.2', 'They sold 1.2 million'],
    ['ten years', '10 years'],
    ['25', 'twenty-five'],
    ['on 2020-05-12', '12.05.2020'],
    ['pages 5 200 of them', '200'],
    ['٢٠٢٠', '2020'],
    ['version 1.2.3', '1.2.3'],
    ['a deficiency of vitamin B(12)', 'vitamin B12'],
    ['007', '7'],
    ['nothing', '1. It has no numbers'],
  ])('of a source that says %j are found in %j', (source, statement) => {
    expect(containsAll(source, statement)).toBe(true);
  });

  it.each([
    ['1,200', '1,300'],
    ['1,200', '12'],
    ['1,200', '200'],
    ['1.2 million', '1.2 billion'],
    ['ten years', 'two years'],
    ['2020-05-12', '13.05.2020'],
    ['vitamin B12', '12 vitamins'],
    ['', '5'],
  ])('are not found in a source that says %j, if the statement says %j', (source, statement) => {
    expect(containsAll(source, statement)).toBe(false);
  });

  it('are read from words of the language of the source', () => {
    expect(containsAll('Die Garantie gilt zehn Jahre.', '10 Jahre', 'german')).toBe(true);
    expect(containsAll('La garantie est de dix ans.', '10 ans', 'french')).toBe(true);
    expect(containsAll('Once upon a time.', '11 times', 'english')).toBe(false);
    expect(containsAll('Once upon a time.', '11 times', 'spanish')).toBe(true);
  });

  it('take time in proportion to the text', () => {
    for (const text of ['1,'.repeat(50_000), '1 '.repeat(50_000), '1'.repeat(100_000), 'a1'.repeat(50_000)]) {
      expect(numbersOf(text, 'english').length).toBeLessThanOrEqual(50_000);
    }
  });
});
