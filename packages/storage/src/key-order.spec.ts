import assert from 'node:assert/strict';
import { it } from 'node:test';
import { directoryOrder, utf16Order, utf8Order, type KeyOrder } from './key-order.js';

const sorted = (order: KeyOrder, keys: readonly string[]) => keys.toSorted(order);

it('keys are ordered by the bytes of UTF-8, or by the units of UTF-16, which differ beyond U+FFFF', () => {
  const keys = ['\u{1F600}', '\uFF5E', 'a', 'B', 'é'];
  assert.deepEqual(sorted(utf8Order, keys), ['B', 'a', 'é', '\uFF5E', '\u{1F600}']);
  assert.deepEqual(sorted(utf16Order, keys), ['B', 'a', 'é', '\u{1F600}', '\uFF5E']);
});

it('by directories, what lies in one follows it directly', () => {
  const keys = ['a', 'a b', 'a-b', 'a/b', 'a/b/c', 'a.txt', 'b'];
  assert.deepEqual(sorted(directoryOrder(utf8Order), keys), ['a', 'a/b', 'a/b/c', 'a b', 'a-b', 'a.txt', 'b']);
  assert.equal(directoryOrder(utf8Order)('a/b', 'a/b'), 0);
});
