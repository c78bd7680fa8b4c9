import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeDocxWithParts, paragraph, wordNamespace } from '../fixtures/make-docx.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

/** `name` is that of the style `Own`. */
async function read(body: string, name: string, type = 'paragraph'): Promise<string> {
  const styles = `<w:styles ${wordNamespace}><w:style w:type="${type}" w:styleId="Own"><w:name w:val="${name}"/></w:style></w:styles>`;
  return (await scratch.run(extractor, 'a.docx', docxType, makeDocxWithParts(body, { styles }))).markdown;
}

it.each(['Quote', 'Intense Quote', 'Block Text'])('paragraphs of the style %s are one quotation', async (name) => {
  const body = `${paragraph('Clay', 'Own')}${paragraph('fires', 'Own')}${paragraph('says Ada')}`;
  expect(await read(body, name)).toBe('> Clay\n>\n> fires\n\nsays Ada\n');
});

it.each(['HTML Preformatted', 'Source Code'])('paragraphs of the style %s are one block of code', async (name) => {
  const line = (text: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  const body = `${line('if clay:')}${line('    fire()')}${paragraph('says Ada')}`;
  expect(await read(body, name)).toBe('```\nif clay:\n    fire()\n```\n\nsays Ada\n');
});

it.each(['Code', 'HTML Code', 'Verbatim Char'])('characters of the style %s are code', async (name) => {
  const body =
    '<w:p><w:r><w:t xml:space="preserve">Run </w:t></w:r><w:r><w:rPr><w:rStyle w:val="Own"/></w:rPr><w:t>kiln_up</w:t></w:r></w:p>';
  expect(await read(body, name, 'character')).toBe('Run `kiln_up`\n');
});
