import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '@kiln/testing';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { RETRY_DELAYS_MS, retryDelayMs } from './retry-schedule.js';

fc.configureGlobal({ seed: testSeed() });

const HOUR_MS = 3_600_000;
const unit = fc.double({ min: 0, max: 1, noNaN: true });

/** Simulates a delivery to an endpoint that always fails. Returns when each attempt was made. */
function attemptsOf(randoms: number[], retryAfters: (number | null)[]): number[] {
  const clock = new FakeClock();
  const made: number[] = [];
  for (let failures = 1; ; failures++) {
    made.push(clock.now().getTime());
    const random = () => randoms[failures - 1] ?? 0.5;
    const delay = retryDelayMs({ failures, retryAfterMs: retryAfters[failures - 1] ?? null }, random);
    if (delay === null) return made;
    clock.advance({ milliseconds: delay });
  }
}

describe('the retry schedule', () => {
  it('makes eight attempts, each gap within 10 % of the plan', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 8, maxLength: 8 }), (randoms) => {
        const made = attemptsOf(randoms, []);
        expect(made).toHaveLength(8);
        RETRY_DELAYS_MS.forEach((planned, index) => {
          const gap = (made[index + 1] ?? 0) - (made[index] ?? 0);
          expect(Math.abs(gap - planned)).toBeLessThanOrEqual(planned * 0.1 + 1);
        });
      }),
    );
  });

  it('is that of the decisions: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    expect(RETRY_DELAYS_MS).toStrictEqual([5e3, 3e5, 18e5, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS]);
  });

  it('never tries before Retry-After, nor before the plan, nor more than a day and a bit later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.option(fc.integer({ min: 0, max: 1_000 * HOUR_MS })),
        unit,
        (failures, retryAfterMs, random) => {
          const delay = retryDelayMs({ failures, retryAfterMs }, () => random) ?? -1;
          const planned = RETRY_DELAYS_MS[failures - 1] ?? 0;
          expect(delay).toBeGreaterThanOrEqual(Math.floor(planned * 0.9));
          expect(delay).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, 24 * HOUR_MS));
          expect(delay).toBeLessThanOrEqual(Math.max(planned, 24 * HOUR_MS) * 1.1 + 1);
        },
      ),
    );
  });

  it('ends after the eighth failure, whatever the endpoint asks for', () => {
    expect(retryDelayMs({ failures: 8, retryAfterMs: null })).toBeNull();
    expect(retryDelayMs({ failures: 8, retryAfterMs: 1_000 })).toBeNull();
  });
});
