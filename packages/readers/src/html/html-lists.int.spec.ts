// Real: the engine. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const markdownOf = async (body: string): Promise<string> =>
  (await scratch.run(createLocalExtractor(defaultLimits), 'a.html', 'text/html', Buffer.from(`<body>${body}`)))
    .markdown;

describe('a list of a page', () => {
  it('keeps its letters and Roman numbers as text, since other text refers to them', async () => {
    const inner = '<ol style="margin: 0; list-style-type: lower-roman"><li>dry</li><li>fired</li></ol>';
    const outer = `<ol type="a" start="3"><li><p>Clay</p>${inner}</li><li>Sand</li><li value="26">Ash</li><li>Salt</li></ol>`;
    expect(await markdownOf(outer)).toBe('- c. Clay\n    - i. dry\n    - ii. fired\n- d. Sand\n- z. Ash\n- aa. Salt\n');
    expect(
      await markdownOf('<ol type="I"><li>One</li></ol><ol style="list-style: upper-alpha"><li>Two</li></ol>'),
    ).toBe('- I. One\n\n- A. Two\n');
  });

  it('has digits if it states them, or nothing', async () => {
    for (const attributes of ['', ' type="1"', ' style="list-style: decimal"', ' type="x"'])
      expect(await markdownOf(`<ol${attributes}><li>One</li><li>Two</li></ol>`)).toBe('1. One\n2. Two\n');
    expect(await markdownOf('<ul type="a"><li>One</li></ul>')).toBe('- One\n');
  });
});

it('a quotation within a line keeps its marks', async () => {
  expect(await markdownOf('<p>He said <q>Fire it</q> and left.</p>')).toBe('He said “Fire it” and left.\n');
});

/** As Outlook writes it. */
const officeItem = (label: string, text: string, level = 1, list = 0): string =>
  `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l${list} level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${label}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;

describe('a list of a page that Office wrote', () => {
  it('has its bullets, its numbers and its levels', async () => {
    const body = [
      '<p>Before</p>',
      officeItem('·', 'clay'),
      officeItem('o', '<b>red</b> clay', 2),
      officeItem('§', 'fine', 3),
      officeItem('·', 'glaze'),
      '<p>Between</p>',
      officeItem('3.', 'fire', 1, 1),
      officeItem('a)', 'slowly', 2, 1),
      officeItem('4.', 'cool', 1, 1),
    ];
    expect(await markdownOf(body.join(''))).toBe(
      'Before\n\n- clay\n    - **red** clay\n        - fine\n- glaze\n\nBetween\n\n3. fire\n    - a) slowly\n4. cool\n',
    );
  });

  it('does not take the spaces between other words', async () => {
    expect(await markdownOf(`<b>Kilns</b> <i>fire</i>${officeItem('·', 'clay')}`)).toBe('**Kilns** *fire*\n\n- clay\n');
  });

  it('is found at any depth, and ends with the element around it', async () => {
    const nested = `${'<div>'.repeat(400)}${officeItem('·', 'clay')}${'</div>'.repeat(400)}`;
    expect(await markdownOf(`${nested}<table><tr><td>${officeItem('·', 'red')}</td><td>b</td></tr></table>`)).toBe(
      '- clay\n\n| - red | b |\n| --- | --- |\n',
    );
  });

  it('leaves a paragraph whose label is no element of its own', async () => {
    expect(await markdownOf(`<p style='mso-list:l0 level1 lfo1'>1. clay</p>${officeItem('·', 'red')}`)).toBe(
      '1\\. clay\n\n- red\n',
    );
  });
});
