import { describe, expect, it } from '@jest/globals';
import { normaliseScore, weighTerms } from './bm25.js';
import { searchQueryOf } from './search-query.js';

const totals = { chunks: 900_000, chunkLength: 90_000_000, titles: 100_000, titleLength: 500_000 };

/** A query with one word for each count of repeats. Each word has its own term. */
const queryOf = (repeats: readonly number[]) => ({
  terms: repeats.map((_, position) => ({ language: 'english' as const, term: `term${position}` })),
  words: repeats.map((count, position) => ({ repeats: count, terms: [position] })),
});

describe('weighTerms', () => {
  it('gives rare terms more weight, and multiplies the weight of a repeated term', () => {
    const query = queryOf([1, 1, 3]);
    const { terms } = weighTerms(query, [500_000, 5, 5], totals);
    const [common = 0, rare = 0, repeated = 0] = terms;
    expect(rare).toBeGreaterThan(common);
    expect(common).toBeGreaterThan(0);
    expect(Math.abs(repeated - 3 * rare)).toBeLessThan(1e-12);
  });

  it('counts a word of two languages once: by the passages that have it in one or the other', () => {
    const query = searchQueryOf('running Katze running', ['english', 'german']);
    const find = (language: string, term: string) =>
      query.terms.findIndex((each) => each.language === language && each.term === term);
    const passages = query.terms.map(({ language }) => (language === 'german' ? 90 : 10));
    const both = weighTerms(query, passages, totals);
    const alone = weighTerms(searchQueryOf('running Katze running', ['english']), [100, 100], totals);
    expect(both.terms[find('english', 'run')]).toBeCloseTo(alone.terms[0] ?? -1, 12);
    expect(both.terms[find('german', 'running')]).toBeCloseTo(alone.terms[0] ?? -1, 12);
    expect(both.scoreMax).toBeCloseTo(alone.scoreMax, 12);
  });

  it('never returns a negative or infinite weight', () => {
    const query = queryOf([1]);
    for (const passages of [0, 1, 1_000_000]) {
      const [weight = -1] = weighTerms(query, [passages], totals).terms;
      expect(weight).toBeGreaterThan(0);
      expect(Number.isFinite(weight)).toBe(true);
    }
    const nothing = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
    expect(Number.isFinite(weighTerms(query, [0], nothing).terms[0])).toBe(true);
  });
});

describe('normaliseScore', () => {
  it('preserves the order of scores and stays between 0 and 1', () => {
    const scores = [0, 0.1, 3, 9.9, 10, 11].map((score) => normaliseScore(score, 10));
    expect(scores).toStrictEqual([0, 0.01, 0.3, 0.99, 1, 1]);
    expect(normaliseScore(1, 0)).toBe(0);
  });
});
