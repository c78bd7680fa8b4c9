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
