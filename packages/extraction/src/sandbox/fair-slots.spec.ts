import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
    await nextTurn();
  };

  it('six documents of one owner let the only one of another go next', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) take('a', name);
    take('b');
    await nextTurn();
    assert.deepEqual(granted, ['a1', 'a2']);
    await free('a');
    assert.deepEqual(granted, ['a1', 'a2', 'b']);
    await free('b');
    assert.deepEqual(granted, ['a1', 'a2', 'b', 'a3']);
  });

  it('an owner does not hold all slots while others wait for one that gets free', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) take('a', name);
    for (const name of ['b1', 'b2', 'b3']) take('b', name);
    await free('a');
    for (let turn = 0; turn < 2; turn++) await free('b');
    assert.deepEqual(granted, ['a1', 'a2', 'b1', 'b2', 'b3'], 'the other slot stays with a');
  });

  it('one who gives up is passed over, and no slot is lost', async () => {
    const abort = new AbortController();
    take('a');
    take('a');
    const waiting = slots.take('b', abort.signal);
    abort.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual([slots.busy, slots.waiting], [2, 0]);
    await free('a');
    await free('a');
    assert.equal(slots.busy, 0);
    take('c');
    await nextTurn();
    assert.deepEqual([granted.at(-1), slots.busy], ['c', 1]);
  });
});
