import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validate, version } from 'uuid';
import { newEventId } from './event-id.js';

describe('an id of an event', () => {
  it('is a UUIDv7 of this moment, and another each time, however many are made', () => {
    const before = Date.now();
    const ids = Array.from({ length: 10_000 }, newEventId);
    const after = Date.now();
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) {
      assert.ok(validate(id) && version(id) === 7, id);
      const madeAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
      assert.ok(madeAt >= before && madeAt <= after, id);
    }
    // Of 74 random bits the last 48 are enough to show that they don't repeat from one filling of the pool to the next.
    assert.equal(new Set(ids.map((id) => id.slice(-12))).size, ids.length);
  });
});
