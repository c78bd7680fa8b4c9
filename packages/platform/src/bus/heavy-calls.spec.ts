import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventLoopBudget } from '../service/event-loop-budget.js';
import { TenantPauses } from '../service/tenant-pauses.js';
import { groupOf, inCall, type CurrentCall, type RunningCall } from './current-call.js';
import { HeavyCalls } from './heavy-calls.js';

const HEAVY = 100;

describe('between the parts of a call’s work', () => {
  let pauses: number;
  let calls: HeavyCalls;
  beforeEach(() => {
    pauses = 0;
    // The time stands still, so no other tenant stops being active.
    const wait = async () => void pauses++;
    calls = new HeavyCalls(new TenantPauses(() => 0, wait));
  });

  /** The number of pauses of a call whose work has three parts. */
  async function pausesOf(call: RunningCall, weight: number): Promise<number> {
    await calls.run(call, weight, () => workInParts(call));
    return pauses;
  }

  const workInParts = (call: CurrentCall | undefined): Promise<void> =>
    inCall(call, async () => {
      const budget = new EventLoopBudget();
      for (let part = 0; part < 3; part++) await budget.renew();
    });

  it('a heavy call pauses while another tenant is active', async () => {
    const call = calls.begin('a');
    calls.begin('b');
    expect(await pausesOf(call, HEAVY)).toBe(3);
  });

  it('a heavy call pauses for 2 s in all, so that it does not miss its deadline because others are active', async () => {
    const call = calls.begin('a');
    calls.begin('b');
    await calls.run(call, HEAVY, async () => {
      for (let part = 0; part < 20; part++) await call.pause(-1_000);
    });
    expect(pauses).toBe(10);
  });

  it('a light call does not', async () => {
    const call = calls.begin('a');
    calls.begin('b');
    expect(await pausesOf(call, 0)).toBe(0);
  });

  it('a heavy call of a tenant that is alone does not', async () => {
    calls.begin('a');
    expect(await pausesOf(calls.begin('a'), HEAVY)).toBe(0);
  });

  it('a group of calls does not wait for the pauses of its heavy calls if one of them is light', async () => {
    const wait = () => new Promise<void>(() => pauses++);
    calls = new HeavyCalls(new TenantPauses(() => 0, wait));
    const heavy = calls.begin('a');
    const light = calls.begin('a');
    calls.begin('b');
    await calls.run(heavy, HEAVY, async () => undefined);
    await workInParts(groupOf([heavy, light]));
    expect(pauses).toBe(3);
  });
});
