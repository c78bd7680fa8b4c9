import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TogetherWork } from './together-work.js';

it('work handed over by several events runs once, with the items of all, in the order they came', async () => {
  const context = {} as Parameters<TogetherWork['run']>[0];
  const runs: [string, unknown[]][] = [];
  const work = (name: string) => (items: unknown[]) => {
    runs.push([name, items]);
    return Promise.resolve();
  };
  const [first, second] = [work('first'), work('second')];
  const together = new TogetherWork();
  together.add(first, 1);
  together.add(second, 'a');
  together.add(first, 2);
  await together.run(context);
  assert.deepEqual(runs, [
    ['first', [1, 2]],
    ['second', ['a']],
  ]);
});
