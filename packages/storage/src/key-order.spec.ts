import { expect, it } from '@jest/globals';
import { directoryOrder, utf16Order, utf8Order, type KeyOrder } from './key-order.js';

const sorted = (order: KeyOrder, keys: readonly string[]) => keys.toSorted(order);

it('keys are ordered by UTF-8 bytes or by UTF-16 code units, which differ beyond U+FFFF', () => {
  const keys = ['\u{1F600}', '\uFF5E', 'a', 'B', 'é'];
  expect(sorted(utf8Order, keys)).toStrictEqual(['B', 'a', 'é', '\uFF5E', '\u{1F600}']);
  expect(sorted(utf16Order, keys)).toStrictEqual(['B', 'a', 'é', '\u{1F600}', '\uFF5E']);
});

it('in directory order, the contents of a directory follow it directly', () => {
  const keys = ['a', 'a b', 'a-b', 'a/b', 'a/b/c', 'a.txt', 'b'];
  expect(sorted(directoryOrder(utf8Order), keys)).toStrictEqual(['a', 'a/b', 'a/b/c', 'a b', 'a-b', 'a.txt', 'b']);
  expect(directoryOrder(utf8Order)('a/b', 'a/b')).toBe(0);
});

it('the order of UTF-8 is that of the bytes, for all pairs of the characters at its boundaries', () => {
  const characters = [
    '',
    'a',
    '\u007F',
    '\u0080',
    '\u07FF',
    '\u0800',
    '\uD7FF',
    '\uE000',
    '\uFFFF',
    '\u{10000}',
    '\u{10FFFF}',
  ];
  const keys = characters.flatMap((first) => characters.map((second) => `k${first}${second}`));
  const wrong = keys.flatMap((a) =>
    keys.filter((b) => Math.sign(utf8Order(a, b)) !== Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  expect(wrong).toStrictEqual([]);
});
