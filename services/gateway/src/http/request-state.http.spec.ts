import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-state.http.js';

describe('a request id', () => {
  it("is the caller's own when it is at most 128 visible ASCII characters", () => {
    for (const own of ['a', 'trace-1/2~!', 'x'.repeat(128)]) expect(requestIdOf(own)).toBe(own);
  });

  it('is a new uuid for anything else', () => {
    for (const other of [undefined, '', 'x'.repeat(129), 'two words', 'ümlaut', 'a\tb', ['a', 'b']]) {
      expect(requestIdOf(other)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
