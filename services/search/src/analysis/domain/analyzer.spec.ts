import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { termsOfQuery, termsOfText, tokensOfText } from './analyzer.js';

const terms = (text: string) => [...tokensOfText(text)].map((token) => token.term);
const queryTerms = (query: string) => termsOfQuery(query).map(({ term }) => term);

describe('the analyzer', () => {
  it('finds the same terms in a query and in a text', () => {
    expect(queryTerms('Café-owners’ RUNNING 1,000 miles')).toStrictEqual(['cafe', 'owner', 'run', '1000', 'mile']);
    expect(terms('the café owner runs 1000 miles')).toStrictEqual(['cafe', 'owner', 'run', '1000', 'mile']);
  });

  it('returns the position of each term in the text', () => {
    const text = '😀 Ünïted foxes';
    expect([...tokensOfText(text)].map(({ start, end }) => text.slice(start, end))).toStrictEqual(['Ünïted', 'foxes']);
  });

  it('finds no term in stop words and punctuation', () => {
    expect(queryTerms("it isn't & | ! :* '")).toStrictEqual([]);
  });

  it('keeps punctuation out of terms, so that no word can be mistaken for a facet', () => {
    let everything = '';
    for (let code = 0; code <= 0xffff; code += 1)
      everything += `${String.fromCharCode(code)} a${String.fromCharCode(code)}`;
    for (const term of terms(everything)) expect(term).not.toMatch(/['\\:*&|!()<>+#\s\0]/u);
  });

  it('finds the same terms with and without offsets, next to every character of the basic multilingual plane', () => {
    const different: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      const text = `foxes${character}1,000${character}2.5${character} ${character}7 1.5${character}`;
      if (!isDeepStrictEqual([...termsOfText(text)], terms(text))) different.push(code.toString(16));
    }
    expect(different).toStrictEqual([]);
  });

  it.each(['1,000a', '1.2.3', '1,2,3,4,5,6,7,8,9,10,11', '1,,2', 'a1,2', '1.é', '١,٢'])(
    'finds the same terms with and without offsets in the malformed number %s',
    (text) => {
      expect([...termsOfText(text)]).toStrictEqual(terms(text));
    },
  );

  it('takes time proportional to the length of the text, also for long runs of digits and commas', () => {
    const startedAt = performance.now();
    for (const text of ['1,'.repeat(200_000) + 'a', '1'.repeat(400_000) + 'a', 'a1'.repeat(200_000)]) terms(text);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('counts the repeats of each term of a query, however many terms there are', () => {
    const query = `${Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')} foxes word7 FOX`;
    const counted = termsOfQuery(query);
    expect(counted).toHaveLength(201);
    expect(counted.at(7)).toStrictEqual({ term: 'word7', repeats: 2 });
    expect(counted.at(-1)).toStrictEqual({ term: 'fox', repeats: 2 });
  });
});
