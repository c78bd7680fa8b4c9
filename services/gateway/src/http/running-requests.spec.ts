import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RunningRequests } from './running-requests.js';

describe('running requests', () => {
  it('are settled at once when there are none, and otherwise when the last has ended, well or badly', async () => {
    const running = new RunningRequests();
    await running.settled();
    const order: string[] = [];
    let finish = () => {};
    const slow = running.track(new Promise<void>((resolve) => (finish = resolve))).then(() => order.push('slow'));
    const failing = running.track(Promise.reject(new Error('no'))).catch(() => order.push('failing'));
    const settled = running.settled().then(() => order.push('settled'));
    await failing;
    finish();
    await Promise.all([slow, settled]);
    assert.deepEqual(order, ['failing', 'slow', 'settled']);
  });
});
