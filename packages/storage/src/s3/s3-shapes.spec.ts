import { describe, expect, it } from '@jest/globals';
import { decodeKey } from './s3-shapes.js';

describe('a URL-encoded key', () => {
  it.each(['a//b', '/a/', '../a', 'ü €.txt', '😀', '50% + 1', '\0\r\n\u{10FFFF}'])(
    'is decoded to its text: %j',
    (key) => {
      expect(decodeKey(encodeURIComponent(key))).toBe(key);
    },
  );

  it('with bytes that are not UTF-8 is not well-formed, keeps its other characters, and is unlike others', () => {
    const keys = ['%C3%BC/a%FF.txt', '%C3%BC/a%FE.txt', '%C3%BC/a%C3.txt'].map(decodeKey);
    for (const key of keys) {
      expect(key.isWellFormed()).toBe(false);
      expect(key).toMatch(/^ü\/a.*\.txt$/);
    }
    expect(new Set(keys).size).toBe(3);
  });

  it.each(['50%', '%zz', 'a%F'])('that is not encoded is not a listing: %s', (key) => {
    expect(() => decodeKey(key)).toThrow(/not URL-encoded/);
  });
});
