import { describe, expect, it } from '@jest/globals';
import { ClauseMatcher, clauseOf, type Clause } from './clause.js';
import { PhraseCheck } from './phrase-check.js';

const PHRASE = clauseOf('red fox', false, ['english', 'german']) as Clause;
const EXCLUDED = clauseOf('grey wolf', true, ['english', 'german']) as Clause;

/** `places`: for each clause, the passages that have all of its words. The best passage is 4. */
function checkOf(clauses: readonly Clause[], places: number[][], truncated = false) {
  const file = { first: 10, score: 1, place: 4, undecided: { places, truncated } };
  return new PhraseCheck(
    file,
    clauses,
    clauses.map((clause) => new ClauseMatcher(clause)),
  );
}

describe('the texts of a file', () => {
  it('are read until the phrase is found, the best passage first, and the passage with the phrase is shown', () => {
    const check = checkOf([PHRASE], [[2, 4, 7]]);
    expect(check.next(8)).toStrictEqual([4, 2, 7]);
    check.read(4, 'A fox that is red.', 'english');
    expect(check.verdict).toBe('open');
    check.read(2, 'Two red foxes.', 'english');
    expect(check).toMatchObject({ verdict: 'met', place: 2 });
    expect(check.next(8)).toStrictEqual([]);
  });

  it('refute the file when none of them has the phrase', () => {
    const check = checkOf([PHRASE], [[2]]);
    check.read(2, 'The fox is red.', 'english');
    expect(check.verdict).toBe('refuted');
  });

  it('refute the file when one of them has an excluded phrase', () => {
    const check = checkOf([PHRASE, EXCLUDED], [[4], [1, 4]]);
    check.read(4, 'A red fox, a wolf and something grey.', 'english');
    expect(check.verdict).toBe('open');
    check.read(1, 'The grey wolf.', 'english');
    expect(check.verdict).toBe('refuted');
  });

  it('are not needed when no passage has all words of an excluded phrase', () => {
    expect(checkOf([EXCLUDED], [[]])).toMatchObject({ verdict: 'met', place: 4 });
  });

  it('decide nothing when they lack the phrase, but not all passages are known', () => {
    const check = checkOf([PHRASE], [[2]], true);
    check.read(2, 'The fox is red.', 'english');
    expect(check.verdict).toBe('open');
  });
});
