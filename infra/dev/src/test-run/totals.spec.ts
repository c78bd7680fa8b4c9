import { describe, expect, it } from '@jest/globals';
import { totalsOf } from './totals.js';

describe('the totals', () => {
  it('count a file that could not run as failed, and a todo test as skipped', () => {
    const results = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      numRuntimeErrorTestSuites: 1,
    };
    expect(totalsOf(results)).toStrictEqual({ passed: 3, failed: 2, skipped: 2 });
  });
});
