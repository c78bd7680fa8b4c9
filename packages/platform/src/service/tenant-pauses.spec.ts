import { beforeEach, describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { TenantPauses } from './tenant-pauses.js';

describe('between the parts of long work of a tenant', () => {
  let now: number;
  let waited: number[];
  let pauses: TenantPauses;
  beforeEach(() => {
    now = 10_000;
    waited = [];
    pauses = new TenantPauses(
      () => now,
      async (milliseconds) => void waited.push(milliseconds),
    );
  });

  it('there is no pause if no other tenant has sent a request', async () => {
    await pauses.pause('a', now - 50);
    for (let count = 0; count < 3; count++) pauses.record('a');
    await pauses.pause('a', now - 50);
    expect(waited).toStrictEqual([]);
  });

  it('there is none for the live and the test tenant of one organization', async () => {
    const live = uuidv7();
    pauses.record(live);
    pauses.record(testTenantOf(live));
    for (const tenantId of [live, testTenantOf(live)]) await pauses.pause(tenantId, now - 50);
    expect(waited).toStrictEqual([]);
  });

  it('a pause is three times as long as the part while another tenant sends requests, whoever sent the last one', async () => {
    pauses.record('a');
    pauses.record('b');
    await pauses.pause('a', now - 50);
    pauses.record('a');
    pauses.record('a');
    await pauses.pause('a', now - 60);
    await pauses.pause('c', now - 40);
    expect(waited).toStrictEqual([150, 180, 120]);
  });

  it('a pause takes at most 200 ms', async () => {
    pauses.record('b');
    await pauses.pause('a', now - 3_000);
    expect(waited).toStrictEqual([200]);
  });

  it('there is none again once the others have sent nothing for a second', async () => {
    pauses.record('b');
    pauses.record('a');
    now += 999;
    pauses.record('a');
    await pauses.pause('a', now - 50);
    now += 1;
    await pauses.pause('a', now - 50);
    expect(waited).toStrictEqual([150]);
  });

  it('the pause ends with its time, and not before', async () => {
    const steps: string[] = [];
    let end = () => {};
    const held = new TenantPauses(
      () => now,
      () => new Promise<void>((resolve) => (end = resolve)),
    );
    held.record('b');
    const paused = held.pause('a', now - 50).then(() => steps.push('paused'));
    await new Promise(setImmediate);
    steps.push('time is over');
    end();
    await paused;
    expect(steps).toStrictEqual(['time is over', 'paused']);
  });
});
