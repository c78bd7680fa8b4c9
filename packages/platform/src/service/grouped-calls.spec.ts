import { unavailable } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupedCalls } from './grouped-calls.js';

const double = (calls: number[]) => calls.map((call) => call * 2);

describe('grouped calls', () => {
  it('that come in one turn share a group of their key, and each gets its own result', async () => {
    const groups: [string, number[]][] = [];
    const calls = new GroupedCalls<number, number>(
      (key, group) => {
        groups.push([key, group]);
        return Promise.resolve(double(group));
      },
      { inFlightMax: 4, callsMax: 100 },
    );
    const results = await Promise.all([calls.run('a', 1), calls.run('b', 2), calls.run('a', 3)]);
    assert.deepEqual(results, [2, 4, 6]);
    assert.deepEqual(groups, [
      ['a', [1, 3]],
      ['b', [2]],
    ]);
  });

  it('gather while as many groups as may be are at work, and never exceed the size of a group', async () => {
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
    assert.deepEqual(sizes, [1]);
    release();
    assert.deepEqual(await Promise.all([first, ...rest]), [0, 2, 4, 6, 8, 10, 12, 14]);
    assert.deepEqual(sizes, [1, 3, 3, 1]);
  });

  it('suffer nothing from each other: when a group fails, each is tried alone', async () => {
    const calls = new GroupedCalls<number, number>(
      (_key, group) => (group.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(double(group))),
      { inFlightMax: 1, callsMax: 10 },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((call) => calls.run('a', call)));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('are not repeated one by one at a database that is away', async () => {
    let attempts = 0;
    const calls = new GroupedCalls<number, number>(
      () => {
        attempts++;
        return Promise.reject(unavailable('The database'));
      },
      { inFlightMax: 1, callsMax: 10 },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((call) => calls.run('a', call)));
    assert.ok(settled.every(({ status }) => status === 'rejected'));
    assert.equal(attempts, 1);
  });
});
