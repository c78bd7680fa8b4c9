import { describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { EndpointSlots, fullTenants } from './endpoint-slots.js';

function slotsWith(total: number, perEndpoint: number) {
  const clock = { milliseconds: 0 };
  return { clock, slots: new EndpointSlots({ total, perEndpoint, now: () => clock.milliseconds }) };
}

/** An endpoint whose tenant has no other endpoints. */
const own = (webhookId: string) => ({ tenantId: uuidv7(), webhookId });

describe('the slots of an endpoint', () => {
  it('are two at first, double with every quick answer up to the limit, and are one after a failure', () => {
    const { slots } = slotsWith(100, 16);
    const limits = [];
    for (let round = 0; round < 4; round++) {
      slots.end(slots.begin(own('a')), 'ok');
      limits.push(slots.limits()?.free.get('a'));
    }
    expect(limits).toStrictEqual([4, 8, 16, 16]);
    slots.end(slots.begin(own('a')), 'failed');
    expect(slots.limits()?.free.get('a')).toBe(1);
    expect(slots.limits()?.slots).toStrictEqual({ first: 2, failing: 1 });
  });

  it('are fewer after a slow answer', () => {
    const { slots, clock } = slotsWith(100, 16);
    for (let round = 0; round < 3; round++) slots.end(slots.begin(own('a')), 'ok');
    const slow = slots.begin(own('a'));
    clock.milliseconds = 1_500;
    slots.end(slow, 'ok');
    expect(slots.limits()?.free.get('a')).toBe(8);
  });

  it('count what is under way to it, and it is full without any left', () => {
    const { slots } = slotsWith(100, 16);
    const first = slots.begin(own('a'));
    expect(slots.limits()?.free.get('a')).toBe(1);
    slots.begin(own('a'));
    expect(slots.limits()?.full).toStrictEqual(['a']);
    slots.end(first, 'ok');
    slots.end(first, 'ok');
    // A second call for the same delivery changes nothing.
    expect(slots.runningCount).toBe(1);
  });
});

describe('the slots of all', () => {
  it('are taken by quick deliveries up to the total', () => {
    const { slots } = slotsWith(4, 16);
    for (let index = 0; index < 4; index++) slots.begin(own(`endpoint ${index}`));
    expect(slots.limits()).toBeNull();
  });

  it('are free again for others once those under way have hung for a second', () => {
    const { slots, clock } = slotsWith(4, 16);
    for (let index = 0; index < 4; index++) slots.begin(own(`dead ${index}`));
    clock.milliseconds = 1_001;
    const limits = slots.limits();
    expect(limits?.deliveries).toBe(4);
    // Failing endpoints get no new deliveries.
    expect(limits?.withFailing).toBe(false);
    // Hanging endpoints get no new deliveries either.
    expect(limits?.full).toStrictEqual(['dead 0', 'dead 1', 'dead 2', 'dead 3']);
  });

  it('never are more than twice the total, whatever hangs', () => {
    const { slots, clock } = slotsWith(4, 16);
    for (let wave = 0; slots.limits() !== null && wave < 10; wave++) {
      for (let left = slots.limits()?.deliveries ?? 0; left > 0; left--) slots.begin(own(`dead ${wave} ${left}`));
      clock.milliseconds += 1_001;
    }
    expect(slots.runningCount).toBe(8);
  });

  it('remember a bounded number of idle endpoints', () => {
    const { slots } = slotsWith(10, 16);
    for (let index = 0; index < 1_000; index++) slots.end(slots.begin(own(`endpoint ${index}`)), 'ok');
    expect(slots.limits()?.free.size ?? 0).toBeLessThanOrEqual(256);
  });

  it('are at most half for one organization, live and test together, quick or hanging, and leave those that fail theirs', () => {
    const { slots, clock } = slotsWith(8, 16);
    const [live, other] = [uuidv7(), uuidv7()];
    const hostile = [live, testTenantOf(live)];
    for (const tenantId of hostile) for (const webhookId of ['a', 'b']) slots.begin({ tenantId, webhookId });
    for (const milliseconds of [0, 1_001]) {
      clock.milliseconds = milliseconds;
      const limits = slots.limits();
      if (!limits) throw new Error('no limits');
      expect(limits.withFailing).toBe(true);
      expect(fullTenants(limits)).toStrictEqual(hostile);
      const claimed = [other, other, testTenantOf(other), testTenantOf(other)].map((tenant_id) => ({ tenant_id }));
      expect(fullTenants(limits, claimed)).toContain(other);
    }
  });
});
