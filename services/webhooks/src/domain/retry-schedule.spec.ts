import { FakeClock } from '@kiln/testing';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'node:test';
import { parseRetryAfter, RETRY_DELAYS_MS, retryDelayMs } from './retry-schedule.js';

const HOUR_MS = 3_600_000;
const unit = fc.double({ min: 0, max: 1, noNaN: true });

/** A delivery to an endpoint that always fails, on a clock that only this moves: when each attempt was made. */
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
        assert.equal(made.length, 8);
        RETRY_DELAYS_MS.forEach((planned, index) => {
          const gap = (made[index + 1] ?? 0) - (made[index] ?? 0);
          assert.ok(Math.abs(gap - planned) <= planned * 0.1 + 1, `gap ${index}: ${gap}`);
        });
      }),
    );
  });

  it('is that of the decisions: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    assert.deepEqual(RETRY_DELAYS_MS, [5e3, 3e5, 18e5, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS]);
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
          assert.ok(delay >= Math.floor(planned * 0.9));
          assert.ok(delay >= Math.min(retryAfterMs ?? 0, 24 * HOUR_MS));
          assert.ok(delay <= Math.max(planned, 24 * HOUR_MS) * 1.1 + 1);
        },
      ),
    );
  });

  it('ends after the eighth failure, whatever the endpoint asks for', () => {
    assert.equal(retryDelayMs({ failures: 8, retryAfterMs: null }), null);
    assert.equal(retryDelayMs({ failures: 8, retryAfterMs: 1_000 }), null);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T09:30:00Z');

  it('is whole seconds or an HTTP date', () => {
    assert.equal(parseRetryAfter('120', now), 120_000);
    assert.equal(parseRetryAfter(' 0 ', now), 0);
    assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:31:00 GMT', now), 60_000);
    assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:29:00 GMT', now), 0);
  });

  it('says nothing when it is anything else', () => {
    for (const wrong of [undefined, '', '-1', '1.5', 'soon', '1e9', '99999999999', 'Sat, 99 Foo']) {
      assert.equal(parseRetryAfter(wrong, now), null, wrong);
    }
  });
});
