import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { inReadingOrder } from './scripts.js';

describe('inReadingOrder', () => {
  const at = (left: number, text: string) => placedWords(left, 100, text);
  const read = (words: ReturnType<typeof placedWords>): string[] => inReadingOrder(words).map(({ text }) => text);

  it('begins a right-to-left line on the right, and reads names in it from the left', () => {
    expect(read([...at(0, 'סוף'), ...at(30, 'Ada Potter'), ...at(100, 'התחלה')])).toStrictEqual([
      'התחלה',
      'Ada',
      'Potter',
      'סוף',
    ]);
  });

  it('reads the parts of one number from the left, and separate numbers from the right', () => {
    const parts = [...at(30, '47'), ...at(40, '.5'), ...at(50, '%')];
    expect(read([...at(0, 'סוף'), ...parts, ...at(100, 'התחלה')])).toStrictEqual(['התחלה', '47', '.5', '%', 'סוף']);
    expect(read([...at(0, 'סוף'), ...at(30, '12'), ...at(60, '34'), ...at(100, 'התחלה')])).toStrictEqual([
      'התחלה',
      '34',
      '12',
      'סוף',
    ]);
  });

  it('leaves a left-to-right line as it is', () => {
    expect(read(at(0, 'one two'))).toStrictEqual(['one', 'two']);
  });
});
