import { describe, expect, it } from '@jest/globals';
import { RunningRequests } from './running-requests.service.js';

describe('running requests', () => {
  it('have ended at once when there are none, and otherwise when the last one has succeeded or failed', async () => {
    const running = new RunningRequests();
    await running.ended();
    const order: string[] = [];
    let finish = () => {};
    const slow = running.track(new Promise<void>((resolve) => (finish = resolve))).then(() => order.push('slow'));
    const failing = running.track(Promise.reject(new Error('no'))).catch(() => order.push('failing'));
    const ended = running.ended().then(() => order.push('ended'));
    await failing;
    finish();
    await Promise.all([slow, ended]);
    expect(order).toStrictEqual(['failing', 'slow', 'ended']);
  });
});
