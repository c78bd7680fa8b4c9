import { describe, expect, it } from '@jest/globals';
import { analyzerOf } from './analyzer.js';
import { partsOf } from './compound-words.js';

const added = (word: string) =>
  partsOf(word)
    .filter(({ isAdded }) => isAdded)
    .map(({ text }) => text);
const written = (word: string) =>
  partsOf(word)
    .filter(({ isAdded }) => !isAdded)
    .map(({ text }) => text);

describe('a compound word', () => {
  it.each([
    ['e-mail', ['e', 'mail'], ['email']],
    ['non‑receptor', ['non', 'receptor'], ['nonreceptor']],
    ['2026-11-22', ['2026', '11', '22'], ['20261122']],
    ['iPhone15', ['iPhone15'], ['iPhone', '15']],
    ['IL-17a', ['IL', '17a'], ['IL17a', '17']],
    ['Schlüssel7', ['Schlüssel7'], ['Schlüssel']],
    ['mail', ['mail'], []],
    ['2026', ['2026'], []],
  ])('%s is found by the words in it, and by its other forms', (word, words, forms) => {
    expect([written(word), added(word)]).toStrictEqual([words, forms]);
  });

  it.each(['state-of-the-art', '3f2504e04f8911d3', 'a1'])('%s has no other forms', (word) => {
    expect(added(word)).toStrictEqual([]);
  });

  it('has parts whose offsets are those of their text', () => {
    const word = 'SARS-CoV2';
    const places = partsOf(word).map(({ text, start, end }) => [text, word.slice(start, end)]);
    expect(places).toStrictEqual([
      ['SARSCoV2', 'SARS-CoV2'],
      ['SARS', 'SARS'],
      ['CoV2', 'CoV2'],
      ['CoV', 'CoV'],
    ]);
  });

  it('takes time proportional to its length', () => {
    // Quadratic work would exceed the time limit of tests.
    for (const word of ['a-'.repeat(600_000) + 'a', 'a1'.repeat(600_000)]) partsOf(word);
  });

  it.each([
    ['email', 'Send an e-mail.'],
    ['e-mail', 'Send an email.'],
    ['iphone', 'The iPhone15 case'],
    ['th17 cells', 'Th-17'],
  ])('makes a search for %s find the text: %s', (query, text) => {
    const english = analyzerOf('english');
    const wanted = [...english.tokensOfQuery(query)].map(({ term }) => term);
    const found = new Set(english.termsOfText(text));
    expect(wanted.some((term) => found.has(term))).toBe(true);
  });
});
