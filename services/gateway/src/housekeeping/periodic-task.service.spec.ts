import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { PeriodicTask } from './periodic-task.service.js';

const silent = { warn: () => undefined };

describe('a periodic task', () => {
  it('runs again after a failed run, and never after stop', async () => {
    let runs = 0;
    const fail = () => Promise.reject(new Error(`run ${++runs}`));
    const task = new PeriodicTask('test', 1, fail, silent);
    await eventually(() => runs >= 3);
    await task.stop();
    const runsWhenStopped = runs;
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(runsWhenStopped);
  });

  it('never has two runs at once, and stop waits for the current run', async () => {
    let finish = () => {};
    let runs = 0;
    const task = new PeriodicTask(
      'test',
      1,
      () => new Promise<void>((resolve) => (++runs, (finish = resolve))),
      silent,
    );
    const [first, second] = [task.run(), task.run()];
    expect(runs).toBe(1);
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    finish();
    await Promise.all([first, second, stopping]);
  });
});
