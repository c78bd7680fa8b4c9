import { describe, expect, it } from '@jest/globals';
import { type PlacedText, placedWords } from '../fixtures/pdf-words.js';
import { LineJoiner } from '../markdown/join-lines.js';
import { segmentsOf } from '../words/rows.js';
import { paragraphsOf } from './paragraphs.js';
import { linesOf } from './text-lines.js';

const italic: PlacedText = { isItalic: true };
/** The paragraphs of lines that are set at one distance. */
function paragraphs(lines: readonly [text: string, options?: PlacedText][]): { text: string; headsText: boolean }[] {
  const words = lines.flatMap(([text, options], index) => placedWords(50, 100 + index * 12, text, options));
  const context = { structure: null, joiner: new LineJoiner(), readsCode: true, pieces: [] };
  const neighbours = { above: false, below: false, width: 250 };
  return paragraphsOf(linesOf(segmentsOf(words)), context, neighbours).map(({ markdown: text, headsText }) => ({
    text,
    headsText,
  }));
}
const prose: [string][] = [
  ['The floor of a kiln carries the ware and is'],
  ['made of bricks which are laid on their edges'],
  ['and which have no mortar between them at all.'],
];
const joined = prose.join(' ');

describe('paragraphsOf', () => {
  it('parts a line from the paragraph that it heads in another face', () => {
    for (const face of [italic, { isSans: true }])
      expect(paragraphs([['The Floor of a Kiln', face], ...prose])).toStrictEqual([
        { text: 'The Floor of a Kiln', headsText: true },
        { text: joined, headsText: false },
      ]);
  });

  it('keeps emphasized lines in their paragraph', () => {
    const [first, second, third] = prose;
    const phrase: [string, PlacedText] = [first?.[0] ?? '', italic];
    expect(paragraphs([phrase, second ?? [''], third ?? ['']])).toStrictEqual([{ text: joined, headsText: false }]);
    const wrapped = paragraphs([['Of all parts, the floor,', italic], second ?? [''], third ?? ['']]);
    expect(wrapped).toHaveLength(1);
    const beforeName = paragraphs([
      ['The floor of a kiln carries the ware of', italic],
      ['Meissen, which is made of'],
      third ?? [''],
    ]);
    expect(beforeName).toHaveLength(1);
  });

  it('keeps lines together that an author has ended, although their faces differ', () => {
    const address: [string, PlacedText?][] = [
      ['Potters of the Clay Lane', italic],
      ['Old Brickworks'],
      ['Upper Third Floor'],
      ['Thalwil'],
      ['Telephone and telegrams before noon only'],
    ];
    expect(paragraphs(address)).toHaveLength(1);
  });
});
