import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as odf from '../fixtures/make-odf.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = async (body: string, styles = ''): Promise<string> =>
  (await scratch.run(extractor, 'a.odt', odf.odtType, odf.makeOdf({ type: odf.odtType, body, styles }))).markdown;

it('a paragraph has the role of its style, or of the parent of its style, also if the file does not define that one', async () => {
  const styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>';
  expect(await read(odf.paragraph('Kilns', 'Title') + odf.paragraph('Hot', 'P1'), styles)).toBe('# Kilns\n\n> Hot\n');
});

it('lines of code are one block, with their spaces and empty lines', async () => {
  const lines = ['if clay:', '', '<text:span><text:s text:c="4"/>fire()</text:span>'];
  const code = lines.map((line) => odf.paragraph(line, 'Preformatted_20_Text')).join('');
  expect(await read(code + odf.paragraph('Done'))).toBe('```\nif clay:\n\n    fire()\n```\n\nDone\n');
});

it('the paragraphs of a quotation are one quotation', async () => {
  const quotation = odf.paragraph('Clay', 'Quotations') + odf.paragraph('fires', 'Quotations');
  expect(await read(quotation + odf.paragraph('says Ada'))).toBe('> Clay\n>\n> fires\n\nsays Ada\n');
});

it('a list begins with the number that its style states', async () => {
  const styles =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="3"/></text:list-style>';
  const list = odf.list([odf.paragraph('a'), odf.paragraph('b')], ' text:style-name="L"');
  const continued = odf.list([odf.paragraph('c')], ' text:style-name="L" text:continue-numbering="true"');
  expect(await read(`${list}${odf.paragraph('Text')}${continued}`, styles)).toBe('3. a\n4. b\n\nText\n\n5. c\n');
});
