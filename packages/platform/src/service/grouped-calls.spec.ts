import { describe, expect, it } from '@jest/globals';
import { unavailable } from '@kiln/contracts';
import { currentCall, inCall, RunningCall, type CurrentCall } from '../bus/current-call.js';
import { GroupedCalls } from './grouped-calls.js';

const double = (calls: number[]) => calls.map((call) => call * 2);

describe('grouped calls', () => {
  it('in one pass of the event loop form one group per key, and each gets its own result', async () => {
    const groups: [string, number[]][] = [];
    const calls = new GroupedCalls<number, number>(
      (key, group) => {
        groups.push([key, group]);
        return Promise.resolve(double(group));
      },
      { inFlightMax: 4, callsMax: 100 },
    );
    const results = await Promise.all([calls.run('a', 1), calls.run('b', 2), calls.run('a', 3)]);
    expect(results).toStrictEqual([2, 4, 6]);
    expect(groups).toStrictEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ]);
  });

  it('with a size form groups up to the size limit, and a larger call forms a group alone', async () => {
    const groups: number[][] = [];
    const calls = new GroupedCalls<number, number>(
      (_key, group) => {
        groups.push(group);
        return Promise.resolve(double(group));
      },
      { inFlightMax: 4, callsMax: 3, size: { sizeOf: (call) => call, sizeMax: 10 } },
    );
    const sizes = [4, 6, 1, 25, 1, 1, 1, 1];
    expect(await Promise.all(sizes.map((size) => calls.run('a', size)))).toStrictEqual(double(sizes));
    expect(groups).toStrictEqual([[4, 6], [1], [25], [1, 1, 1], [1]]);
  });

  it('wait while the maximum number of groups is running, and never exceed the group size', async () => {
    const sizes: number[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const calls = new GroupedCalls<number, number>(
      async (_key, group) => {
        sizes.push(group.length);
        await gate;
        return double(group);
      },
      { inFlightMax: 1, callsMax: 3 },
    );
    const first = calls.run('a', 0);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = Array.from({ length: 7 }, (_, index) => calls.run('a', index + 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sizes).toStrictEqual([1]);
    release();
    expect(await Promise.all([first, ...rest])).toStrictEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    expect(sizes).toStrictEqual([1, 3, 3, 1]);
  });

  it('are independent: if a group fails, each call is retried alone', async () => {
    const calls = new GroupedCalls<number, number>(
      (_key, group) => (group.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(double(group))),
      { inFlightMax: 1, callsMax: 10 },
    );
    const results = await Promise.allSettled([1, 2, 3].map((call) => calls.run('a', call)));
    expect(results.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are not retried one by one while the database is unavailable', async () => {
    let attempts = 0;
    const calls = new GroupedCalls<number, number>(
      () => {
        attempts++;
        return Promise.reject(unavailable('The database'));
      },
      { inFlightMax: 1, callsMax: 10 },
    );
    const results = await Promise.allSettled([1, 2, 3].map((call) => calls.run('a', call)));
    expect(results.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'rejected']);
    expect(attempts).toBe(1);
  });

  it('are worked on for as long as one of them is not over', async () => {
    let working: CurrentCall | undefined;
    let ended = 0;
    const calls = new GroupedCalls<number, number>(
      (_key, group) => {
        working = currentCall();
        working?.onOver(() => void ended++);
        return Promise.resolve(double(group));
      },
      { inFlightMax: 1, callsMax: 10 },
    );
    const callers = [new RunningCall('a'), new RunningCall('a')];
    const results = await Promise.all(callers.map((caller, index) => inCall(caller, () => calls.run('a', index))));
    expect([results, working?.tenantId]).toStrictEqual([[0, 2], 'a']);
    callers[0]?.end();
    expect([working?.isOver, ended]).toStrictEqual([false, 0]);
    callers[1]?.end();
    expect([working?.isOver, ended]).toStrictEqual([true, 1]);
  });
});
