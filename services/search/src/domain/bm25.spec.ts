import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CANDIDATES_MAX, normaliseScore, planRanking } from './bm25.js';

const statistics = (passages: Record<string, number>) => ({
  chunks: 900_000,
  chunkLength: 90_000_000,
  titles: 100_000,
  titleLength: 500_000,
  passages: new Map(Object.entries(passages)),
});

describe('planRanking', () => {
  it('lets every known term choose candidates while they fit', () => {
    const plan = planRanking(['rare', 'other', 'unknown'], statistics({ rare: 5, other: 900 }));
    assert.deepEqual(plan.drivers, ['rare', 'other']);
    assert.deepEqual(plan.terms, ['rare', 'other']);
  });

  it('lets only the strong passages of a term choose that is too common', () => {
    const plan = planRanking(['common', 'rare'], statistics({ rare: 5, common: CANDIDATES_MAX, '+common': 70 }));
    assert.deepEqual(plan.drivers, ['rare', '+common']);
    assert.deepEqual(plan.terms, ['common', 'rare']);
  });

  it('still searches for a term that is everywhere and repeated nowhere', () => {
    assert.deepEqual(planRanking(['all'], statistics({ all: 800_000 })).drivers, ['all']);
  });

  it('finds nothing for terms that occur nowhere', () => {
    assert.deepEqual(planRanking(['nowhere'], statistics({})).drivers, []);
  });
});

describe('normaliseScore', () => {
  it('keeps the order and stays within 0 and 1', () => {
    const scores = [0, 0.1, 3, 9.9, 10, 11].map((score) => normaliseScore(score, 10));
    assert.deepEqual(scores, [0, 0.01, 0.3, 0.99, 1, 1]);
    assert.equal(normaliseScore(1, 0), 0);
  });
});
