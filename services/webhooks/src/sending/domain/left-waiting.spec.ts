import { describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { ClaimLimits } from './endpoint-slots.js';
import { LeftWaiting } from './left-waiting.js';

const [mine, another, third] = [uuidv7(), uuidv7(), uuidv7()];

const limits = (more: Partial<ClaimLimits> = {}): ClaimLimits => ({
  deliveries: 100,
  full: [],
  free: new Map(),
  slots: { first: 2, failing: 1 },
  withFailing: true,
  organizations: { running: new Map(), max: 50 },
  ...more,
});
const of = (webhook_id: string, tenant_id = mine) => ({ tenant_id, webhook_id });
const given = (webhook_id: string, count: number, failing = false) =>
  Array.from({ length: count }, () => ({ ...of(webhook_id), failing }));

describe('a claim', () => {
  it('has left nothing of an endpoint that got fewer than it might have had', () => {
    const left = new LeftWaiting();
    left.claimed(limits({ free: new Map([['known', 5]]) }), [...given('known', 4), ...given('new', 1)]);
    expect([left.mayBeOf(of('known')), left.mayBeOf(of('new'))]).toStrictEqual([false, false]);
  });

  it('may have left more of an endpoint that got as many as it might have, or was full', () => {
    const left = new LeftWaiting();
    const claimed = [...given('known', 5), ...given('new', 2), ...given('failing', 1, true)];
    left.claimed(limits({ full: ['full'], free: new Map([['known', 5]]) }), claimed);
    const webhooks = ['known', 'new', 'failing', 'full'];
    expect(webhooks.filter((webhook) => left.mayBeOf(of(webhook)))).toStrictEqual(webhooks);
    left.claimed(limits({ free: new Map([['known', 5]]) }), []);
    // A claim without deliveries clears the mark.
    expect(left.mayBeOf(of('known'))).toBe(false);
  });

  it('that finds no room, or none for those that fail, may have left more of anyone', () => {
    const left = new LeftWaiting();
    left.claiming(null);
    expect(left.mayBeOf(of('any'))).toBe(true);
    left.claimed(limits({ withFailing: false }), []);
    expect(left.mayBeOf(of('any'))).toBe(true);
    left.claimed(limits(), []);
    expect(left.mayBeOf(of('any'))).toBe(false);
  });

  it('under way has given a full endpoint nothing', () => {
    const left = new LeftWaiting();
    left.claiming(limits({ full: ['full'] }));
    expect(left.mayBeOf(of('full'))).toBe(true);
  });

  it('may have left more of the tenants of an organization that has all it may have', () => {
    const left = new LeftWaiting();
    const organizations = {
      running: new Map([
        [mine, 49],
        [another, 50],
      ]),
      max: 50,
    };
    left.claimed(limits({ organizations }), given('new', 1));
    const others = [mine, testTenantOf(mine), another, third].map((tenantId) => of('any', tenantId));
    expect(others.map((webhook) => left.mayBeOf(webhook))).toStrictEqual([true, true, true, false]);
  });
});
