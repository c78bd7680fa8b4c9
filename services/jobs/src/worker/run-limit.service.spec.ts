import { describe, expect, it } from '@jest/globals';
import { RunLimit } from './run-limit.service.js';

const CONFIGURED = 6;

function afterQuickRuns(count: number): RunLimit {
  const limit = new RunLimit(CONFIGURED);
  for (let run = 0; run < count; run++) limit.onRunCompleted(0.1);
  return limit;
}

describe('the number of jobs that a worker runs at a time', () => {
  it('stays as configured while runs take as long as reading a file', () => {
    const limit = new RunLimit(CONFIGURED);
    for (let run = 0; run < 1_000; run++) limit.onRunCompleted(20);
    expect(limit.current).toBe(CONFIGURED);
  });

  it('grows by one with each run that ends immediately, up to 128', () => {
    expect(afterQuickRuns(10).current).toBe(CONFIGURED + 10);
    expect(afterQuickRuns(1_000).current).toBe(128);
  });

  it('returns to the configured one after a dozen slow or failed runs', () => {
    const slow = afterQuickRuns(1_000);
    const failed = afterQuickRuns(1_000);
    for (let run = 0; run < 12; run++) {
      slow.onRunCompleted(1_000);
      failed.onRunFailed();
    }
    expect(slow.current).toBe(CONFIGURED);
    expect(failed.current).toBe(CONFIGURED);
  });

  it('is never less than a configured one above 128', () => {
    const limit = new RunLimit(200);
    limit.onRunCompleted(0.1);
    limit.onRunFailed();
    expect(limit.current).toBe(200);
  });
});
