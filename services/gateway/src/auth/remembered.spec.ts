import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Remembered, REMEMBERED_MS } from './remembered.js';

describe('what is remembered', () => {
  function setUp(entriesMax?: number) {
    const clock = { ms: 1_000 };
    return { clock, remembered: new Remembered<string>(entriesMax, () => clock.ms) };
  }

  it('is given again until its time has passed, counted from before the question', async () => {
    const { clock, remembered } = setUp();
    await remembered.read('a', async () => {
      clock.ms += 400;
      return { value: 'A' };
    });
    clock.ms += REMEMBERED_MS - 401;
    assert.equal(remembered.get('a'), 'A');
    clock.ms += 1;
    assert.equal(remembered.get('a'), undefined);
  });

  it('never outlives what it says of itself', async () => {
    const { clock, remembered } = setUp();
    await remembered.read('a', () => Promise.resolve({ value: 'A', validMs: 30 }));
    clock.ms += 29;
    assert.equal(remembered.get('a'), 'A');
    clock.ms += 1;
    assert.equal(remembered.get('a'), undefined);
  });

  it('is never the answer that there is nothing', async () => {
    const { remembered } = setUp();
    assert.equal(await remembered.read('a', () => Promise.resolve(null)), null);
    assert.equal(remembered.get('a'), undefined);
  });

  it('stays within its number of entries', async () => {
    const { remembered } = setUp(3);
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    for (const name of names) await remembered.read(name, () => Promise.resolve({ value: name }));
    assert.ok(names.filter((name) => remembered.get(name)).length <= 3);
    assert.equal(remembered.get('n9'), 'n9');
  });
});
