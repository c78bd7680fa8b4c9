import { describe, expect, it } from '@jest/globals';
import { readQuery } from './query.http.js';

describe('query parameters', () => {
  it('are decoded, and collect metadata filters into one object', () => {
    expect(readQuery('/v1/files?limit=5&metadata.a=1&metadata.b%20c=x%26y&space=')).toStrictEqual({
      limit: '5',
      space: '',
      metadata: { a: '1', 'b c': 'x&y' },
    });
    expect(readQuery('/v1/files')).toStrictEqual({});
  });

  it('may each be given once', () => {
    expect(() => readQuery('/?limit=1&limit=2')).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: 'limit must be given once' }),
    );
    expect(() => readQuery('/?metadata.a=1&metadata.a=1')).toThrow(/metadata\.a must be given once/);
  });

  it('never lose a filter or reach a prototype', () => {
    expect(() => readQuery('/?metadata.__proto__=x')).toThrow(/metadata\.__proto__ is not a possible name/);
    expect(() => readQuery('/?__proto__=x')).toThrow(/__proto__ is not a possible name/);
    expect(Object.keys(readQuery('/?constructor=1'))).toStrictEqual(['constructor']);
  });
});
