// Faked: the clock, which moves only when a test moves it.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '../observability/logger.js';
import { PollingLoop, type PollingLoopOptions } from './polling-loop.js';

const POLL_MS = 30_000;
const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => {} });

describe('a polling loop', () => {
  let loop: PollingLoop;
  let rounds = 0;
  beforeEach(() => {
    rounds = 0;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(async () => {
    await loop.stop();
    jest.useRealTimers();
  });

  const untilAsleep = () => new Promise((resolve) => setImmediate(resolve));
  const start = async (options: Partial<PollingLoopOptions> = {}) => {
    const { round = () => Promise.resolve(false), ...others } = options;
    const counted = () => {
      rounds++;
      return round();
    };
    loop = new PollingLoop({ name: 'testing', pollMs: POLL_MS, logger, ...others, round: counted });
    loop.start();
    await untilAsleep();
  };
  const pass = async (milliseconds: number) => {
    jest.advanceTimersByTime(milliseconds);
    await untilAsleep();
  };

  it('starts the next round at once while there is more to do', async () => {
    await start({ round: () => Promise.resolve(rounds < 5) });
    expect(rounds).toBe(5);
  });

  it('sleeps for the full poll interval if no work is known to be due', async () => {
    await start({ nextDueInMs: () => Promise.resolve(null) });
    await pass(POLL_MS - 1);
    expect(rounds).toBe(1);
    await pass(1);
    expect(rounds).toBe(2);
  });

  it('starts a round when the next work is due', async () => {
    await start({ nextDueInMs: () => Promise.resolve(rounds === 1 ? 4_200 : null) });
    await pass(4_199);
    expect(rounds).toBe(1);
    await pass(1);
    expect(rounds).toBe(2);
    await pass(POLL_MS - 1);
    expect(rounds).toBe(2);
  });

  it('polls even if the next work is due much later', async () => {
    await start({ nextDueInMs: () => Promise.resolve(24 * 3_600_000) });
    await pass(POLL_MS);
    expect(rounds).toBe(2);
  });

  it('pauses if the work that is due was left to others', async () => {
    await start({ nextDueInMs: () => Promise.resolve(0), pauseMinMs: 1_000 });
    await pass(999);
    expect(rounds).toBe(1);
    await pass(1);
    expect(rounds).toBe(2);
  });

  it('starts a round when woken, at once or after the shortest delay', async () => {
    await start();
    loop.wakeUp();
    await untilAsleep();
    expect(rounds).toBe(2);
    loop.wakeUp(5_000);
    loop.wakeUp(2_000);
    loop.wakeUp(9_000);
    await pass(1_999);
    expect(rounds).toBe(2);
    await pass(1);
    expect(rounds).toBe(3);
    await pass(POLL_MS - 1);
    expect(rounds).toBe(3);
  });

  it('applies a wake-up during a round to the sleep after it', async () => {
    await start({
      round: () => {
        if (rounds === 1) [0, 0].forEach(() => loop.wakeUp());
        return Promise.resolve(false);
      },
    });
    expect(rounds).toBe(2);
    await pass(POLL_MS - 1);
    expect(rounds).toBe(2);
  });

  it('continues after a failed round and after a failed lookup', async () => {
    const fail = () => Promise.reject(new Error('the database is away'));
    await start({ round: () => (rounds === 1 ? fail() : Promise.resolve(false)), nextDueInMs: fail });
    await pass(1_000);
    await pass(1_000);
    expect(rounds).toBe(3);
  });

  it('ends its sleep when stopped, and starts no further round', async () => {
    await start();
    await loop.stop();
    await pass(POLL_MS);
    expect(rounds).toBe(1);
  });
});
