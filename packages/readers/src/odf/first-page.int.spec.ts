// Real: the engine. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as odf from '../fixtures/make-odf.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const header = (text: string, attributes = '') => `<style:header${attributes}>${odf.paragraph(text)}</style:header>`;
const footer = (text: string) => `<style:footer>${odf.paragraph(text)}</style:footer>`;
const master = (name: string, content: string, next?: string) =>
  `<style:master-page style:name="${name}"${next === undefined ? '' : ` style:next-style-name="${next}"`}>${content}</style:master-page>`;

async function markdownOf(masters: string, { pages = 2, firstStyle = '' } = {}): Promise<string> {
  const made = odf.makeOdf({
    type: odf.odtType,
    body: odf.paragraph('Dear Ann', 'P1') + odf.paragraph('Thank you.'),
    styles: `<style:style style:name="P1" style:family="paragraph" style:master-page-name="${firstStyle}"/>`,
    masterPages: masters,
    pages,
  });
  return (await scratch.run(createLocalExtractor(defaultLimits), 'a.odt', odf.odtType, made)).markdown;
}

describe('the header and the footer of an OpenDocument text', () => {
  const repeated = master('Standard', header('Letter of Kilns Ltd') + footer('<text:page-number>1</text:page-number>'));
  const body = 'Dear Ann\n\nThank you.\n';

  it('are part of the text if only the first page has them', async () => {
    const letterhead = header('Kilns Ltd, 1 Clay Lane') + footer('IBAN DE02 1203 0000');
    const first = master('First_20_Page', letterhead, 'Standard');
    const expected = `Kilns Ltd, 1 Clay Lane\n\n${body}\nIBAN DE02 1203 0000\n`;
    expect(await markdownOf(repeated + first, { firstStyle: 'First_20_Page' })).toBe(expected);
    const ownHeader = '<style:header-first><text:p>Kilns Ltd</text:p></style:header-first>';
    expect(await markdownOf(master('Standard', header('Page head') + ownHeader))).toBe(`Kilns Ltd\n\n${body}`);
  });

  it('are left out if each page repeats them, or if they are not shown', async () => {
    expect(await markdownOf(repeated)).toBe(body);
    expect(await markdownOf(master('Standard', header('x', ' style:display="false"')), { pages: 1 })).toBe(body);
  });

  it('are part of a text of one page, without the paragraphs that only number the page', async () => {
    expect(await markdownOf(repeated, { pages: 1 })).toBe(`Letter of Kilns Ltd\n\n${body}`);
  });
});
