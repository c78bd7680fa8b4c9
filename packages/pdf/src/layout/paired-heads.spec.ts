import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { PageContent, Word } from '../page-model.js';
import { pairedHeads } from './paired-heads.js';

const page = (...lines: Word[][]): PageContent => ({
  width: 600,
  height: 800,
  words: lines.flat(),
  rotation: 0,
  turned: [],
  rules: [],
  structure: null,
});
const body = (text: string): Word[][] => [
  placedWords(60, 120, `${text} begins here`),
  placedWords(60, 132, `and ${text} ends`),
];
const found = (first: PageContent, second: PageContent): string =>
  [...pairedHeads(first, second)].map(({ text }) => text).join(' ');
/** A journal. The heads of its pages have the page number at the outer edge. */
const head = (number: number, title = 'Journal of Kilns'): Word[] => [
  ...placedWords(60, 40, title),
  ...placedWords(500, 40, String(number)),
];

describe('pairedHeads', () => {
  it('are lines that count both pages, with the same text at the same place', () => {
    expect(found(page(head(118), ...body('One')), page(head(119), ...body('Two')))).toBe(
      'Journal of Kilns 118 Journal of Kilns 119',
    );
    const foot = (number: number): Word[] => placedWords(60, 770, `Report on kilns – page ${number} of 2`);
    expect(found(page(...body('One'), foot(1)), page(...body('Two'), foot(2)))).toBe(
      'Report on kilns – page 1 of 2 Report on kilns – page 2 of 2',
    );
  });

  it('are also on the outer edges of left and right pages', () => {
    const left = [...placedWords(60, 40, '12'), ...placedWords(450, 40, 'Journal of Kilns')];
    expect(found(page(left, ...body('One')), page(head(13), ...body('Two')))).toBe(
      '12 Journal of Kilns Journal of Kilns 13',
    );
  });

  it('are on the second page only, if they do not count', () => {
    const sender = [...placedWords(60, 40, 'Kiln Works'), ...placedWords(60, 52, 'Claytown')];
    const [letter, next] = [
      page(sender, ...body('One')),
      page(
        sender.map((word) => ({ ...word })),
        ...body('Two'),
      ),
    ];
    expect([...pairedHeads(letter, next)]).toStrictEqual(next.words.slice(0, sender.length));
  });

  it('are no rows of tables that both pages have at the same place', () => {
    const rows = (...texts: string[]): Word[][] => texts.map((text, at) => placedWords(60, 740 + at * 16, text));
    expect(found(page(...rows('91 Hooks', '56 Cable')), page(...rows('55 Bolts', '56 Cable')))).toBe('');
    expect(found(page(...rows('56 Cable', '91 Hooks')), page(...rows('56 Cable', '55 Bolts')))).toBe('');
  });

  it('are no lines that differ, or count in another way', () => {
    for (const [one, other] of [
      [head(118), head(125)],
      [head(118), head(119, 'Journal of Clay')],
      [placedWords(60, 40, 'Invoice 118'), placedWords(60, 40, 'Invoice 119')],
    ])
      expect(found(page(one ?? [], ...body('One')), page(other ?? [], ...body('Two')))).toBe('');
  });

  it('are no first lines of two copies of a form, although they are numbered', () => {
    expect(found(page(head(118, 'Invoice'), ...body('Kiln')), page(head(119, 'Invoice'), ...body('Kiln')))).toBe('');
  });

  it('are no titles, and no lines of the text', () => {
    const title = (number: number): Word[] => [
      ...placedWords(60, 50, 'Invoice', { size: 18 }),
      ...placedWords(300, 50, String(number), { size: 18 }),
    ];
    expect(found(page(title(1), ...body('One')), page(title(2), ...body('Two')))).toBe('');
    const below = placedWords(60, 52, 'The text begins right below it.');
    expect(found(page(head(1), below, ...body('One')), page(head(2), ...body('Two')))).toBe('');
  });
});
