import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { retryAfterSecondsOf, retryDelayMs, retryTable, type Attempted, type Outcome } from './retry.js';

interface Vector extends Attempted {
  name: string;
  outcome: { kind: 'connection' | 'timeout' } | { kind: 'response'; status: number; retryAfter: string | null };
  expectedDelayMs: number | null;
}

const vectors = JSON.parse(readFileSync(new URL('../../retry-vectors.json', import.meta.url), 'utf8')) as {
  now: string;
  policy: typeof retryTable;
  cases: Vector[];
};

function outcomeOf({ outcome }: Vector): Outcome {
  if (outcome.kind !== 'response') return outcome;
  const { status, retryAfter } = outcome;
  return { kind: 'response', status, retryAfterSeconds: retryAfterSecondsOf(retryAfter, Date.parse(vectors.now)) };
}

describe('the retry table', () => {
  it('is that of the test vectors, which all SDKs share', () => {
    expect(retryTable).toStrictEqual(vectors.policy);
  });

  it.each(vectors.cases)('$name', (vector) => {
    expect(retryDelayMs(outcomeOf(vector), vector)).toBe(vector.expectedDelayMs);
  });
});
