import { describe, expect, it } from '@jest/globals';
import { ShortcutReader, takesText } from './shortcuts.js';

const known = [
  { keys: 'g f', does: 'Files' },
  { keys: 'g h', does: 'Home' },
  { keys: '?', does: 'Help' },
];

describe('shortcuts', () => {
  it('are single keys, or two keys in a row', () => {
    const reader = new ShortcutReader(known);
    expect(['g', 'f', '?', 'f', 'g', 'x', 'f', 'g', 'g', 'h'].map((key, at) => reader.read(key, at))).toStrictEqual([
      null,
      'g f',
      '?',
      null,
      null,
      null,
      null,
      null,
      null,
      'g h',
    ]);
  });

  it('forget a first key after a while', () => {
    const reader = new ShortcutReader(known);
    expect([reader.read('g', 0), reader.read('f', 5_000)]).toStrictEqual([null, null]);
  });

  it('leave keys to fields for text', () => {
    const targets = [{ tagName: 'INPUT' }, { tagName: 'DIV' }, { tagName: 'DIV', isContentEditable: true }];
    expect(targets.map(takesText)).toStrictEqual([true, false, true]);
    expect(takesText({ tagName: 'INPUT', type: 'checkbox' })).toBe(false);
  });
});
