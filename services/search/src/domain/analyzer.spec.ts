import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { termsOfQuery, tokensOfText } from './analyzer.js';

const terms = (text: string) => [...tokensOfText(text)].map((token) => token.term);
const queryTerms = (query: string) => termsOfQuery(query).map(({ term }) => term);

describe('the analyzer', () => {
  it('gives a query and a text the same terms', () => {
    assert.deepEqual(queryTerms('Café-owners’ RUNNING 1,000 miles'), ['cafe', 'owner', 'run', '1000', 'mile']);
    assert.deepEqual(terms('the café owner runs 1000 miles'), ['cafe', 'owner', 'run', '1000', 'mile']);
  });

  it('says where in the text each term stands', () => {
    const text = '😀 Ünïted foxes';
    assert.deepEqual(
      [...tokensOfText(text)].map(({ start, end }) => text.slice(start, end)),
      ['Ünïted', 'foxes'],
    );
  });

  it('finds no term in stop words and punctuation', () => {
    assert.deepEqual(queryTerms("it isn't & | ! :* '"), []);
  });

  it('lets no punctuation into a term, so that no word is taken for a facet', () => {
    let everything = '';
    for (let code = 0; code <= 0xffff; code += 1)
      everything += `${String.fromCharCode(code)} a${String.fromCharCode(code)}`;
    for (const term of terms(everything)) assert.doesNotMatch(term, /['\\:*&|!()<>+#\s\0]/u);
  });

  it('takes time in proportion to the text, also for digits and commas without end', () => {
    const startedAt = performance.now();
    for (const text of ['1,'.repeat(200_000) + 'a', '1'.repeat(400_000) + 'a', 'a1'.repeat(200_000)]) terms(text);
    assert.ok(performance.now() - startedAt < 10_000);
  });

  it('says how often a query holds each of its terms, however many there are', () => {
    const query = `${Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')} foxes word7 FOX`;
    const counted = termsOfQuery(query);
    assert.equal(counted.length, 201);
    assert.deepEqual(counted.at(7), { term: 'word7', repeats: 2 });
    assert.deepEqual(counted.at(-1), { term: 'fox', repeats: 2 });
  });
});
