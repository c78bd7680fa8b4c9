import { expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { PageContent } from '../page-model.js';
import { piecesOf, shownPieces, shownSizeOf } from './page-pieces.js';

const page = { width: 200, height: 100, rotation: 0, words: [], turned: [], rules: [], structure: null } as const;
const piece = { text: 'a', left: 20, top: 10, right: 60, bottom: 20 };

it.each([
  [0, [200, 100], [1_000, 1_000, 2_000, 1_000]],
  [90, [100, 200], [8_000, 1_000, 1_000, 2_000]],
  [180, [200, 100], [7_000, 8_000, 2_000, 1_000]],
  [270, [100, 200], [1_000, 7_000, 1_000, 2_000]],
] as const)(
  'a region is that of the page as it is shown, turned by %i degrees',
  (rotation, [width, height], region) => {
    const content = { ...page, rotation } as unknown as PageContent;
    expect(shownSizeOf(content)).toStrictEqual({ width, height });
    expect(shownPieces([piece], content)).toStrictEqual([{ text: 'a', region }]);
  },
);

it('a region contains the text where it stood before its picture was straightened', () => {
  const content = { ...page, skew: 10 } as unknown as PageContent;
  const [x, y, width, height] =
    shownPieces([{ text: 'a', left: 150, top: 48, right: 190, bottom: 52 }], content)[0]?.region ?? [];
  // Right of the center, a line that was askew clockwise stood lower.
  expect([x, y, width, height]).toStrictEqual([7_445, 5_671, 2_004, 1_089]);
});

it('a region ends at the edges of its page', () => {
  const content = page as unknown as PageContent;
  const beyond = { text: 'a', left: -50, top: 50, right: 500, bottom: 150 };
  expect(shownPieces([beyond], content)[0]?.region).toStrictEqual([0, 5_000, 10_000, 5_000]);
});

it('a line is divided where a link begins and ends', () => {
  const words = placedWords(0, 10, 'see the manual now');
  for (const word of words.slice(1, 3)) word.link = 'http://a.b';
  expect(piecesOf(words).map(({ text }) => text)).toStrictEqual(['see', 'the manual', 'now']);
});
