import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestIdOf } from './request-state.js';

describe('a request id', () => {
  it("is the caller's own when it is at most 128 visible ASCII characters", () => {
    for (const own of ['a', 'trace-1/2~!', 'x'.repeat(128)]) assert.equal(requestIdOf(own), own);
  });

  it('is a new uuid for anything else', () => {
    for (const other of [undefined, '', 'x'.repeat(129), 'two words', 'ümlaut', 'a\tb', ['a', 'b']]) {
      assert.match(requestIdOf(other), /^[0-9a-f-]{36}$/);
    }
  });
});
