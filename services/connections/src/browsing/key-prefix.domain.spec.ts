import { expect, it } from '@jest/globals';
import { narrowedPrefix } from './key-prefix.domain.js';

it('the keys that start with both prefixes start with the longer one; there are none when neither contains the other', () => {
  expect(narrowedPrefix('', 'a/')).toBe('a/');
  expect(narrowedPrefix('a/', '')).toBe('a/');
  expect(narrowedPrefix('a/', 'a/b')).toBe('a/b');
  expect(narrowedPrefix('a/b/', 'a/')).toBe('a/b/');
  expect(narrowedPrefix('a/', 'b/')).toBeNull();
});
