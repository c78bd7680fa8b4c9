import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PeriodicTask } from './periodic-task.js';

const silent = { warn: () => undefined };

describe('a periodic task', () => {
  it('goes on after a failure, and stops for good', async () => {
    let turns = 0;
    const fail = () => Promise.reject(new Error(`turn ${++turns}`));
    const task = new PeriodicTask('test', 1, fail, silent);
    await eventually(() => turns >= 3);
    await task.stop();
    const turnsWhenStopped = turns;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(turns, turnsWhenStopped);
  });

  it('never overlaps itself, and stop waits for the turn under way', async () => {
    let finish = () => {};
    let turns = 0;
    const task = new PeriodicTask(
      'test',
      1,
      () => new Promise<void>((resolve) => (++turns, (finish = resolve))),
      silent,
    );
    const [first, second] = [task.run(), task.run()];
    assert.equal(turns, 1);
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(stopped, false);
    finish();
    await Promise.all([first, second, stopping]);
  });
});
