import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { envelopesOf, eventBatch } from './event-batch.js';

const lines = (count: number) => Array.from({ length: count }, (_, index) => JSON.stringify({ index, name: 'é😀\n' }));

describe('a batch of events', () => {
  it('is kept as it is while it is small, and packed when it is large; nothing of it is lost', () => {
    for (const count of [1, 2, 10_000]) {
      const batch = eventBatch(lines(count));
      assert.deepEqual(envelopesOf({ ...batch, left_out: [] }), lines(count));
      assert.equal(batch.packed !== null, count === 10_000);
      assert.equal(batch.envelopes === null, batch.packed !== null, 'one of both');
    }
  });

  it('is a fraction of its text when it is packed', () => {
    const { packed } = eventBatch(lines(10_000));
    assert.ok(packed && packed.length < lines(10_000).join('\n').length / 4);
  });

  it('leaves out what did not come true, by its number', () => {
    const [first, second, third] = lines(3);
    assert.deepEqual(envelopesOf({ ...eventBatch(lines(3)), left_out: [1, 3] }), [second]);
    assert.deepEqual(envelopesOf({ ...eventBatch(lines(3)), left_out: [2] }), [first, third]);
  });
});
