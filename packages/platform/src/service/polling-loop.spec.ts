// Faked: the clock, which moves only where a test says so.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createLogger } from '../observability/logger.js';
import { PollingLoop, type PollingLoopOptions } from './polling-loop.js';

const POLL_MS = 30_000;
const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => {} });

describe('a polling loop', () => {
  let loop: PollingLoop;
  let rounds = 0;
  beforeEach(() => {
    rounds = 0;
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    mock.method(performance, 'now', () => Date.now());
  });
  afterEach(async () => {
    await loop.stop();
    mock.timers.reset();
    mock.restoreAll();
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
    mock.timers.tick(milliseconds);
    await untilAsleep();
  };

  it('begins the next round at once while there is more to do', async () => {
    await start({ round: () => Promise.resolve(rounds < 5) });
    assert.equal(rounds, 5);
  });

  it('sleeps for the whole of its poll when nothing is known to come due', async () => {
    await start({ nextDueInMs: () => Promise.resolve(null) });
    await pass(POLL_MS - 1);
    assert.equal(rounds, 1);
    await pass(1);
    assert.equal(rounds, 2);
  });

  it('begins a round when the next work is due', async () => {
    await start({ nextDueInMs: () => Promise.resolve(rounds === 1 ? 4_200 : null) });
    await pass(4_199);
    assert.equal(rounds, 1);
    await pass(1);
    assert.equal(rounds, 2);
    await pass(POLL_MS - 1);
    assert.equal(rounds, 2);
  });

  it('polls although the next work is due much later', async () => {
    await start({ nextDueInMs: () => Promise.resolve(24 * 3_600_000) });
    await pass(POLL_MS);
    assert.equal(rounds, 2);
  });

  it('pauses when work is due that the round has left to others', async () => {
    await start({ nextDueInMs: () => Promise.resolve(0), pauseMinMs: 1_000 });
    await pass(999);
    assert.equal(rounds, 1);
    await pass(1);
    assert.equal(rounds, 2);
  });

  it('begins a round when woken, at once or after the delay that comes first', async () => {
    await start();
    loop.wakeUp();
    await untilAsleep();
    assert.equal(rounds, 2);
    loop.wakeUp(5_000);
    loop.wakeUp(2_000);
    loop.wakeUp(9_000);
    await pass(1_999);
    assert.equal(rounds, 2);
    await pass(1);
    assert.equal(rounds, 3);
    await pass(POLL_MS - 1);
    assert.equal(rounds, 3);
  });

  it('counts a wake-up that comes during a round for the sleep after it', async () => {
    await start({
      round: () => {
        if (rounds === 1) [0, 0].forEach(() => loop.wakeUp());
        return Promise.resolve(false);
      },
    });
    assert.equal(rounds, 2);
    await pass(POLL_MS - 1);
    assert.equal(rounds, 2);
  });

  it('goes on after a round that failed, and after a look-up that failed', async () => {
    const fail = () => Promise.reject(new Error('the database is away'));
    await start({ round: () => (rounds === 1 ? fail() : Promise.resolve(false)), nextDueInMs: fail });
    await pass(1_000);
    await pass(1_000);
    assert.equal(rounds, 3);
  });

  it('ends its sleep when it is stopped, and begins no further round', async () => {
    await start();
    await loop.stop();
    await pass(POLL_MS);
    assert.equal(rounds, 1);
  });
});
