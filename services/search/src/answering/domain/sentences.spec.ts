import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from './sentences.js';

const textsOf = (text: string) => sentencesOf(text).map((sentence) => sentence.text);

describe('the sentences of a text', () => {
  it.each([
    ['One. Two? Three!', ['One.', 'Two?', 'Three!']],
    ['Ask Dr. Lee. She is in.', ['Ask Dr. Lee.', 'She is in.']],
    ['窯は熱い。粘土は冷たい。', ['窯は熱い。', '粘土は冷たい。']],
    ['भट्ठी गर्म है। मिट्टी ठंडी है।', ['भट्ठी गर्म है।', 'मिट्टी ठंडी है।']],
    ['الفرن ساخن. هل الطين بارد؟', ['الفرن ساخن.', 'هل الطين بارد؟']],
    ['# A heading\n\nA line\nthat goes on. Another.', ['A line that goes on.', 'Another.']],
    ['# Part 1: kilns\n## Total: $12\nA line.', ['Total: $12', 'A line.']],
    ['- first item\n- second item\n2. third', ['first item', 'second item', 'third']],
    ['> **Bold** and `code` and [a link](http://x).', ['Bold and code and a link.']],
    ['| Name | Price |\n|---|---|\n| Kiln | 9 |', ['Name – Price', 'Kiln – 9']],
    ['---\n***\n!!!', []],
    ['', []],
  ] as const)('%j', (text, expected) => {
    expect(textsOf(text)).toStrictEqual(expected);
  });

  it('have at most 300 characters, and lose nothing when they are divided', () => {
    for (const text of ['word '.repeat(1_000).trim(), '🔥'.repeat(500) + 'x', 'x'.repeat(1_000)]) {
      const sentences = textsOf(text);
      for (const sentence of sentences) {
        expect(sentence.length).toBeLessThanOrEqual(300);
        expect(sentence.isWellFormed()).toBe(true);
      }
      if (!text.startsWith('🔥')) expect(sentences.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });

  it.each([
    ['# A heading\n\n  One\nline. Two.', ['One\nline.', 'Two.']],
    ['- first **item**\n2. [second](http://x) one', ['first **item', 'second](http://x) one']],
    ['| Name | Price |\n|---|---|\n| Kiln | 9 |', ['Name | Price', 'Kiln | 9']],
    ['x'.repeat(301), ['x'.repeat(300), 'x']],
  ])('in %j stand where their offsets say', (text, expected) => {
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toStrictEqual(expected);
  });
});
