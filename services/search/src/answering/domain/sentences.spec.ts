import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from './sentences.js';

describe('the sentences of a text', () => {
  it.each([
    ['One. Two? Three!', ['One.', 'Two?', 'Three!']],
    ['窯は熱い。粘土は冷たい。', ['窯は熱い。', '粘土は冷たい。']],
    ['भट्ठी गर्म है। मिट्टी ठंडी है।', ['भट्ठी गर्म है।', 'मिट्टी ठंडी है।']],
    ['الفرن ساخن. هل الطين بارد؟', ['الفرن ساخن.', 'هل الطين بارد؟']],
    ['# A heading\n\nA line\nthat goes on. Another.', ['A line that goes on.', 'Another.']],
    ['- first item\n- second item\n2. third', ['first item', 'second item', 'third']],
    ['> **Bold** and `code` and [a link](http://x).', ['Bold and code and a link.']],
    ['| Name | Price |\n|---|---|\n| Kiln | 9 |', ['Name – Price', 'Kiln – 9']],
    ['---\n***\n!!!', []],
    ['', []],
  ] as const)('%j', (text, expected) => {
    expect(sentencesOf(text)).toStrictEqual(expected);
  });

  it('have at most 300 characters, and lose nothing when they are divided', () => {
    for (const text of ['word '.repeat(1_000).trim(), '🔥'.repeat(500) + 'x', 'x'.repeat(1_000)]) {
      const sentences = sentencesOf(text);
      for (const sentence of sentences) {
        expect(sentence.length).toBeLessThanOrEqual(300);
        expect(sentence.isWellFormed()).toBe(true);
      }
      if (!text.startsWith('🔥')) expect(sentences.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});
