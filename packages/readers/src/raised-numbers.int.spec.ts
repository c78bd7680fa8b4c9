// Real: the engines. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx } from './fixtures/make-docx.js';
import { makeOdf, odtType } from './fixtures/make-odf.js';
import { makePptx, pptxType, shape } from './fixtures/make-pptx.js';
import { docxType, Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const htmlOf = async (body: string): Promise<string> =>
  (await scratch.run(extractor, 'a.html', 'text/html', Buffer.from(`<body>${body}`))).markdown.trim();

const wordRun = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const slideRun = (text: string, properties = ''): string => `<a:r><a:rPr${properties}/><a:t>${text}</a:t></a:r>`;
const style =
  '<style:style style:name="P" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>';

const power: readonly (readonly [string, string, Buffer])[] = [
  ['a page', 'text/html', Buffer.from('<p>10<sup>6</sup> kilns</p>')],
  [
    'a Word document',
    docxType,
    makeDocx(`<w:p>${wordRun('10')}${wordRun('6', '<w:vertAlign w:val="superscript"/>')}${wordRun(' kilns')}</w:p>`),
  ],
  [
    'a slide',
    pptxType,
    makePptx([
      {
        shapes: shape('body', `<a:p>${slideRun('10')}${slideRun('6', ' baseline="30000"')}${slideRun(' kilns')}</a:p>`),
      },
    ]),
  ],
  [
    'an OpenDocument text',
    odtType,
    makeOdf({
      type: odtType,
      styles: style,
      body: '<text:p>10<text:span text:style-name="P">6</text:span> kilns</text:p>',
    }),
  ],
  ['Rich Text', 'application/rtf', Buffer.from('{\\rtf1 10{\\super 6} kilns\\par}')],
];

describe('a raised number', () => {
  it.each(power)('does not continue the number before it: in %s', async (_, type, content) => {
    const { markdown } = await scratch.run(extractor, 'a', type, content);
    expect(markdown.replace(/^- /, '')).toBe('10^6 kilns\n');
  });

  it('of a note stands apart from a year, also in bold or in a link', async () => {
    expect(await htmlOf('<p>in <b>2019</b><sup><a href="#n3">3</a></sup> and 2020<sup>[4]</sup></p>')).toBe(
      'in **2019**^3 and 2020\\[4\\]',
    );
  });

  it('is written as it is behind letters and spaces, and so is a raised letter', async () => {
    expect(await htmlOf('<p>5 m<sup>2</sup>, 7 <sup>1</sup>, 1<sup>st</sup>, 1.6·10<sup>−19</sup></p>')).toBe(
      '5 m2, 7 1, 1st, 1.6·10^−19',
    );
  });
});
