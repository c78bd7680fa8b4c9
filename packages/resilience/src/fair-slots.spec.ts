import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as immediate } from 'node:timers/promises';
import { FairSlots } from './fair-slots.js';

const never = new AbortController().signal;

describe('slots of a sandbox', () => {
  let slots: FairSlots;
  let granted: string[];
  beforeEach(() => {
    slots = new FairSlots(2);
    granted = [];
  });
  const take = (owner: string, name = owner) =>
    void slots.take(owner, never).then(
      () => granted.push(name),
      () => undefined,
    );
  const free = async (owner: string) => {
    slots.free(owner);
    await immediate();
  };

  it('the only document of one owner is next, before six waiting documents of another', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) take('a', name);
    take('b');
    await immediate();
    expect(granted).toStrictEqual(['a1', 'a2']);
    await free('a');
    expect(granted).toStrictEqual(['a1', 'a2', 'b']);
    await free('b');
    expect(granted).toStrictEqual(['a1', 'a2', 'b', 'a3']);
  });

  it('an owner does not keep all slots while others wait', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) take('a', name);
    for (const name of ['b1', 'b2', 'b3']) take('b', name);
    await free('a');
    for (let count = 0; count < 2; count++) await free('b');
    // The other slot stays with a.
    expect(granted).toStrictEqual(['a1', 'a2', 'b1', 'b2', 'b3']);
  });

  it('a waiting request that is aborted is skipped, and no slot is lost', async () => {
    const abort = new AbortController();
    take('a');
    take('a');
    const waiting = slots.take('b', abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect([slots.busy, slots.waiting]).toStrictEqual([2, 0]);
    await free('a');
    await free('a');
    expect(slots.busy).toBe(0);
    take('c');
    await immediate();
    expect([granted.at(-1), slots.busy]).toStrictEqual(['c', 1]);
  });
});
