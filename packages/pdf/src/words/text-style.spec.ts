import { describe, expect, it } from '@jest/globals';
import { shownText, styleOf } from './text-style.js';

describe('shownText', () => {
  const text = styleOf('Text', 0, false);
  const symbols = styleOf('ABCDEF+Wingdings', 0, false);

  it('is the character, and a bullet for a symbol whose font does not state it', () => {
    expect([shownText(0x41, text), shownText(0x1f525, text)]).toStrictEqual(['A', '🔥']);
    expect([shownText(0x6c, symbols), shownText(0xf06c, symbols), shownText(0x25a0, symbols)]).toStrictEqual([
      '•',
      '•',
      '■',
    ]);
  });

  it('is the replacement character for a number that is none', () => {
    expect(shownText(0xe0e000, text)).toBe('\uFFFD');
  });
});
