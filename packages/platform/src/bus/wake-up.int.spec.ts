// Real: NATS. Faked: the time between hints to every listener.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { testNamespace, testNats } from '@kiln/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { createLogger } from '../observability/logger.js';
import { connectBus } from './connection.js';
import { SHARED_INTERVAL_MS, WakeUp } from './wake-up.js';

const LISTENERS = 20;
const HINTS = 200;
const NAME = 'jobs.text';

describe('hints of shared work', () => {
  let connection: NatsConnection;
  let wakeUp: WakeUp;
  let received: number[];
  let stops: (() => void)[];
  beforeAll(async () => {
    const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => undefined });
    connection = await connectBus({ url: await testNats(), name: 'test', logger });
  });
  beforeEach(async () => {
    wakeUp = new WakeUp(connection, testNamespace());
    received = Array.from({ length: LISTENERS }, () => 0);
    const count = (at: number) => () => void (received[at] = (received[at] ?? 0) + 1);
    stops = received.map((_, at) => wakeUp.listenShared(NAME, count(at)));
    await connection.flush();
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    for (const stop of stops) stop();
  });
  afterAll(() => connection.close());

  /** Hints are published in a later pass of the event loop. */
  const arrived = async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    await connection.flush();
    return received.reduce((sum, count) => sum + count, 0);
  };
  const send = async (hints: number) => {
    for (let hint = 0; hint < hints; hint++) {
      wakeUp.sendShared(NAME);
      await arrived();
    }
  };

  it('go to one listener each after the first, which every listener receives', async () => {
    await send(HINTS);
    expect(await arrived()).toBe(LISTENERS + HINTS - 1);
    expect(Math.min(...received)).toBeGreaterThan(0);
  });

  it('reach every listener once more at the end of the interval, so that none that has room misses them', async () => {
    await send(2);
    const before = [...received];
    jest.advanceTimersByTime(SHARED_INTERVAL_MS);
    await arrived();
    expect(received).toStrictEqual(before.map((count) => count + 1));
    jest.advanceTimersByTime(10 * SHARED_INTERVAL_MS);
    await arrived();
    expect(received).toStrictEqual(before.map((count) => count + 1));
  });

  it('go to every listener at once when none came within the interval', async () => {
    await send(1);
    jest.advanceTimersByTime(SHARED_INTERVAL_MS);
    await send(1);
    expect(received).toStrictEqual(received.map(() => 2));
  });

  it('go to the others when a listener stops', async () => {
    for (const stop of stops.splice(1)) stop();
    await send(HINTS);
    expect(received).toStrictEqual([HINTS, ...received.slice(1).map(() => 0)]);
  });
});
