import { describe, expect, it } from '@jest/globals';
import { type PlacedText, placedWords } from '../fixtures/pdf-words.js';
import { LineJoiner } from '../markdown/join-lines.js';
import type { PageStructure, Word } from '../page-model.js';
import { segmentsOf } from '../words/rows.js';
import type { TextBlock } from './block.js';
import { paragraphsOf } from './paragraphs.js';
import { linesOf } from './text-lines.js';

const italic: PlacedText = { isItalic: true };
/** The paragraphs of lines that are set at one distance. */
function paragraphs(lines: readonly [text: string, options?: PlacedText][]): { text: string; headsText: boolean }[] {
  const words = lines.flatMap(([text, options], index) => placedWords(50, 100 + index * 12, text, options));
  return blocksOf(words).map(({ markdown: text, headsText }) => ({ text, headsText }));
}
function blocksOf(words: readonly Word[], structure: PageStructure | null = null): TextBlock[] {
  const context = { structure, joiner: new LineJoiner(), readsCode: true, pieces: [], begunItems: new Set<number>() };
  return paragraphsOf(linesOf(segmentsOf(words)), context, { above: false, below: false, width: 250 });
}
const textsOf = (words: readonly Word[]): string[] => blocksOf(words).map(({ markdown }) => markdown);
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

  it('begins a paragraph with each clause and reference, also behind a full line', () => {
    const marks = [
      ['(ii)', '(iii)'],
      ['2.1', '2.2'],
      ['[1]', '[2]'],
      ['b)', 'c)'],
    ];
    for (const [one, next] of marks) {
      const first = `${one} Each kiln is swept by its owner every week.`;
      const second = `${next} No kiln is lit in the night, and none if`;
      expect(
        paragraphs([[first], [second], ['the wind is strong.']]).map(({ text }) => text.replace(/\\/g, '')),
      ).toStrictEqual([first, `${second} the wind is strong.`]);
      const inside = `${one} Each kiln is swept by its owner, as section`;
      expect(paragraphs([[inside], [`${next} of this contract and the law say.`]])).toHaveLength(1);
    }
  });

  it('ends a hanging paragraph where a line is not indented', () => {
    const lines: [x: number, text: string][] = [
      [50, 'Potter, A. Kilns of the north, a history in'],
      [70, 'letters of their owners. Thalwil, 1911.'],
      [50, 'Weaver, B. Looms.'],
    ];
    const words = lines.flatMap(([x, text], index) => placedWords(x, 100 + index * 12, text));
    expect(textsOf(words)).toStrictEqual([`${lines[0]?.[1]} ${lines[1]?.[1]}`, lines[2]?.[1]]);
  });

  it('begins a paragraph with each item of a list, also where text runs to the left', () => {
    const words = ['ראשון', 'אחרון'].flatMap((item, index) => [
      ...placedWords(100, 100 + index * 12, `${item} ${item} ${item}`),
      ...placedWords(190, 100 + index * 12, '•'),
    ]);
    expect(textsOf(words)).toStrictEqual(['• ראשון ראשון ראשון', '• אחרון אחרון אחרון']);
  });

  it('keeps the ends of lines whose parts stand far apart, but not within the text behind a label', () => {
    const line = (y: number, ...parts: [x: number, text: string][]): Word[] =>
      parts.flatMap(([x, text]) => placedWords(x, y, text));
    const jobs = [
      ...line(100, [50, 'Kilns and Sons'], [240, '2015 – 2018']),
      ...line(112, [50, 'Potter'], [255, 'Thalwil']),
    ];
    expect(textsOf(jobs)).toStrictEqual(['Kilns and Sons 2015 – 2018\nPotter Thalwil']);
    const label = [...line(100, [50, '2011'], [110, 'School of the potters of']), ...line(112, [110, 'the north'])];
    expect(textsOf(label)).toStrictEqual(['2011 School of the potters of the north']);
    const justified = [
      ...line(100, [50, 'The kiln is lit when the rain has ended, and']),
      ...line(112, [50, 'less'], [110, 'than'], [170, 'administrative']),
      ...line(124, [50, 'work is done.']),
    ];
    expect(textsOf(justified)).toHaveLength(1);
    expect(textsOf(justified)[0]).not.toContain('\n');
  });

  it('keeps the ends of short lines that begin as values and names do', () => {
    const bank = ['Bank of Thalwil', 'IBAN CH93 0076 2011', 'BIC THALCH'];
    expect(paragraphs(bank.map((line) => [line])).map(({ text }) => text)).toStrictEqual([bank.join('\n')]);
    const sentence = ['The kiln is lit at', 'the end of the day.'];
    expect(paragraphs(sentence.map((line) => [line])).map(({ text }) => text)).toStrictEqual([sentence.join(' ')]);
  });

  it('marks the items that tags name, if their bullets are shapes', () => {
    const items = ['Open the kiln with gloves on both hands and', 'with glasses', 'Close it'];
    const ids = [3, 3, 5];
    const words = items.flatMap((text, index) =>
      placedWords(50, 100 + index * 12, text).map((word) => ({ ...word, contentId: ids[index] ?? -1 })),
    );
    const structure = { headings: new Map<number, number>(), tables: [], items: new Set([3, 5]) };
    expect(blocksOf(words, structure).map(({ markdown }) => markdown)).toStrictEqual([
      `• ${items.slice(0, 2).join(' ')}`,
      '• Close it',
    ]);
  });
});
