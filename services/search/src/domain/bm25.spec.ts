import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normaliseScore, weighTerms } from './bm25.js';

const totals = { chunks: 900_000, chunkLength: 90_000_000, titles: 100_000, titleLength: 500_000 };

describe('weighTerms', () => {
  it('weighs rare terms more, and a repeated one as often as it is repeated', () => {
    const query = [
      { term: 'common', repeats: 1 },
      { term: 'rare', repeats: 1 },
      { term: 'rare', repeats: 3 },
    ];
    const { terms } = weighTerms(query, [500_000, 5, 5], totals);
    const [common = 0, rare = 0, repeated = 0] = terms;
    assert.ok(rare > common && common > 0);
    assert.ok(Math.abs(repeated - 3 * rare) < 1e-12);
  });

  it('never makes a weight negative or infinite', () => {
    const query = [{ term: 'everywhere', repeats: 1 }];
    for (const passages of [0, 1, 1_000_000]) {
      const [weight = -1] = weighTerms(query, [passages], totals).terms;
      assert.ok(weight > 0 && Number.isFinite(weight));
    }
    const nothing = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
    assert.ok(Number.isFinite(weighTerms(query, [0], nothing).terms[0]));
  });
});

describe('normaliseScore', () => {
  it('keeps the order and stays within 0 and 1', () => {
    const scores = [0, 0.1, 3, 9.9, 10, 11].map((score) => normaliseScore(score, 10));
    assert.deepEqual(scores, [0, 0.01, 0.3, 0.99, 1, 1]);
    assert.equal(normaliseScore(1, 0), 0);
  });
});
