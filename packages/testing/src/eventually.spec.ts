import { describe, expect, it } from '@jest/globals';
import { eventually, FakeClock, testNamespace } from './index.js';

describe('eventually', () => {
  it('returns the first value that is neither an exception nor false', async () => {
    let calls = 0;
    const value = await eventually(
      () => {
        calls += 1;
        if (calls === 1) throw new Error('not yet');
        return calls === 2 ? false : 'there';
      },
      { intervalMs: 1 },
    );
    expect(value).toBe('there');
  });

  it('fails with the last error when the time is over', async () => {
    const attempt = () => {
      throw new Error('still closed');
    };
    await expect(eventually(attempt, { timeoutMs: 5, intervalMs: 1 })).rejects.toThrow(/within 5 ms: still closed/);
  });
});

describe('FakeClock', () => {
  it('moves only when a test moves it', () => {
    const clock = new FakeClock('2026-02-28T23:59:59.000Z');
    expect(clock.now().toISOString()).toBe('2026-02-28T23:59:59.000Z');
    clock.advance({ seconds: 1 });
    expect(clock.now().toISOString()).toBe('2026-03-01T00:00:00.000Z');
    clock.advance({ days: 1, hours: 2 });
    expect(clock.now().toISOString()).toBe('2026-03-02T02:00:00.000Z');
  });
});

describe('testNamespace', () => {
  it('is safe as an SQL identifier and a NATS subject token', () => {
    expect(testNamespace()).toMatch(/^t[0-9a-f]{12}$/);
    expect(testNamespace()).not.toBe(testNamespace());
  });
});
