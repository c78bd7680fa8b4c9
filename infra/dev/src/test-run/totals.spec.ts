import { describe, expect, it } from '@jest/globals';
import { sumOf, totalsOf } from './totals.js';

const counts = { numPassingTests: 3, numFailingTests: 1, numPendingTests: 1, numTodoTests: 1 };

describe('the totals', () => {
  it('count a file that could not run as failed, and a todo test as skipped', () => {
    expect(totalsOf(counts)).toStrictEqual({ passed: 3, failed: 1, skipped: 2 });
    expect(totalsOf({ ...counts, testExecError: { message: 'left a socket open', stack: '' } }).failed).toBe(2);
  });

  it('of several files are their sums', () => {
    const one = { passed: 3, failed: 1, skipped: 2 };
    expect(sumOf([one, one])).toStrictEqual({ passed: 6, failed: 2, skipped: 4 });
    expect(sumOf([])).toStrictEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});
