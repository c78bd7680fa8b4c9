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
/** As Outlook writes it. */
const item = (label: string, text: string, level = 1, list = 0): string =>
  `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l${list} level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${label}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;

describe('a list of a page that Office wrote', () => {
  it('has its bullets, its numbers and its levels', async () => {
    const body = [
      '<p>Before</p>',
      item('·', 'clay'),
      item('o', '<b>red</b> clay', 2),
      item('§', 'fine', 3),
      item('·', 'glaze'),
      '<p>Between</p>',
      item('3.', 'fire', 1, 1),
      item('a)', 'slowly', 2, 1),
      item('4.', 'cool', 1, 1),
    ];
    expect(await markdownOf(body.join(''))).toBe(
      'Before\n\n- clay\n    - **red** clay\n        - fine\n- glaze\n\nBetween\n\n3. fire\n    - a) slowly\n4. cool\n',
    );
  });

  it('does not take the spaces between other words', async () => {
    expect(await markdownOf(`<b>Kilns</b> <i>fire</i>${item('·', 'clay')}`)).toBe('**Kilns** *fire*\n\n- clay\n');
  });

  it('is found at any depth, and ends with the element around it', async () => {
    const nested = `${'<div>'.repeat(400)}${item('·', 'clay')}${'</div>'.repeat(400)}`;
    expect(await markdownOf(`${nested}<table><tr><td>${item('·', 'red')}</td><td>b</td></tr></table>`)).toBe(
      '- clay\n\n| - red | b |\n| --- | --- |\n',
    );
  });

  it('leaves a paragraph whose label is no element of its own', async () => {
    expect(await markdownOf(`<p style='mso-list:l0 level1 lfo1'>1. clay</p>${item('·', 'red')}`)).toBe(
      '1\\. clay\n\n- red\n',
    );
  });
});
