import { describe, expect, it } from '@jest/globals';
import type { ClaimLimits } from './endpoint-slots.js';
import { LeftWaiting } from './left-waiting.js';

const limits = (more: Partial<ClaimLimits> = {}): ClaimLimits => ({
  deliveries: 100,
  full: [],
  free: new Map(),
  slots: { first: 2, failing: 1 },
  withFailing: true,
  ...more,
});
const given = (webhook_id: string, count: number, failing = false) =>
  Array.from({ length: count }, () => ({ webhook_id, failing }));

describe('a claim', () => {
  it('has left nothing of an endpoint that got fewer than it might have had', () => {
    const left = new LeftWaiting();
    left.claimed(limits({ free: new Map([['known', 5]]) }), [...given('known', 4), ...given('new', 1)]);
    expect([left.mayBeOf('known'), left.mayBeOf('new')]).toStrictEqual([false, false]);
  });

  it('may have left more of an endpoint that got as many as it might have, or was full', () => {
    const left = new LeftWaiting();
    const claimed = [...given('known', 5), ...given('new', 2), ...given('failing', 1, true)];
    left.claimed(limits({ full: ['full'], free: new Map([['known', 5]]) }), claimed);
    const webhooks = ['known', 'new', 'failing', 'full'];
    expect(webhooks.filter((webhook) => left.mayBeOf(webhook))).toStrictEqual(webhooks);
    left.claimed(limits({ free: new Map([['known', 5]]) }), []);
    // Until the next one.
    expect(left.mayBeOf('known')).toBe(false);
  });

  it('that finds no room, or none for those that fail, may have left more of anyone', () => {
    const left = new LeftWaiting();
    left.claiming(null);
    expect(left.mayBeOf('any')).toBe(true);
    left.claimed(limits({ withFailing: false }), []);
    expect(left.mayBeOf('any')).toBe(true);
    left.claimed(limits(), []);
    expect(left.mayBeOf('any')).toBe(false);
  });

  it('under way has given a full endpoint nothing', () => {
    const left = new LeftWaiting();
    left.claiming(limits({ full: ['full'] }));
    expect(left.mayBeOf('full')).toBe(true);
  });
});
