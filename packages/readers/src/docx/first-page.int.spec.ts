// Real: the engine, mammoth. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph, wordNamespace } from '../fixtures/make-docx.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';
import { asDocument } from './first-page.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const officeRelationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationshipsOf = (content: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
const namespaces = `${wordNamespace} xmlns:r="${officeRelationship}"`;
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const link = `<w:p><w:hyperlink r:id="rId1"><w:r><w:t>kilns.example</w:t></w:r></w:hyperlink></w:p>`;
const field = (instruction: string, shown: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${shown}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** The content of each header and footer, by its type in the section. */
type PageParts = Readonly<Record<string, string>>;

function letter(pageParts: PageParts, { section = '', pages = 2 } = {}): Buffer {
  const names = Object.keys(pageParts);
  const kindOf = (name: string): string => name.replace(/[A-Z].*/, '');
  const references = names.map((name, index) => {
    const type = name.replace(kindOf(name), '').toLowerCase();
    return `<w:${kindOf(name)}Reference w:type="${type}" r:id="rId${index + 1}"/>`;
  });
  const body = `${paragraph('Dear Ann')}<w:sectPr xmlns:r="${officeRelationship}">${references.join('')}${section}</w:sectPr>`;
  const relationships = names.map(
    (name, index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeRelationship}/${kindOf(name)}" Target="${name}.xml"/>`,
  );
  const files = names.flatMap((name) => {
    const root = kindOf(name) === 'header' ? 'hdr' : 'ftr';
    const target = `<Relationship Id="rId1" Type="${officeRelationship}/hyperlink" Target="https://kilns.example/" TargetMode="External"/>`;
    return [
      [`word/${name}.xml`, `<w:${root} ${namespaces}>${pageParts[name] ?? ''}</w:${root}>`],
      [`word/_rels/${name}.xml.rels`, relationshipsOf(target)],
    ] as const;
  });
  return makeDocx(
    body,
    Object.fromEntries(
      [
        ...files,
        ['word/_rels/document.xml.rels', relationshipsOf(relationships.join(''))],
        ['docProps/app.xml', `<Properties><Pages>${pages}</Pages></Properties>`],
      ].map(([name, xml]) => [name, Buffer.from(xml ?? '')]),
    ),
  );
}

const markdownOf = async (content: Buffer): Promise<string> =>
  (await scratch.run(createLocalExtractor(defaultLimits), 'a.docx', docxType, content)).markdown;

describe('the header and the footer of a Word document', () => {
  const parts = {
    headerDefault: paragraph('Letter of Kilns Ltd'),
    headerFirst: paragraph('Kilns Ltd, 1 Clay Lane') + link,
    footerFirst: paragraph('IBAN DE02 1203 0000 0000 2020 51'),
  };

  it('are part of the text if only the first page has them', async () => {
    expect(await markdownOf(letter(parts, { section: '<w:titlePg/>' }))).toBe(
      'Kilns Ltd, 1 Clay Lane\n\n[kilns.example](https://kilns.example/)\n\nDear Ann\n\nIBAN DE02 1203 0000 0000 2020 51\n',
    );
  });

  it('are left out if each page repeats them', async () => {
    for (const section of [
      '',
      '<w:titlePg w:val="0"/>',
      '<w:sectPrChange><w:sectPr><w:titlePg/></w:sectPr></w:sectPrChange>',
    ])
      expect(await markdownOf(letter(parts, { section }))).toBe('Dear Ann\n');
  });

  it('are part of the text of a document of one page', async () => {
    expect(await markdownOf(letter(parts, { pages: 1 }))).toBe('Letter of Kilns Ltd\n\nDear Ann\n');
  });

  it('lack the paragraphs that only number the page', async () => {
    const numbered = `<w:p>${run('Page ')}${field('PAGE', '1')}${run(' of ')}<w:fldSimple w:instr=" NUMPAGES ">${run('1')}</w:fldSimple></w:p>`;
    const titled = `<w:p>${run('Offer of Kilns Ltd, page ')}${field('PAGE', '1')}</w:p>`;
    expect(await markdownOf(letter({ headerDefault: titled, footerDefault: numbered }, { pages: 1 }))).toBe(
      'Offer of Kilns Ltd, page 1\n\nDear Ann\n',
    );
  });

  it('may be missing, or name a part that is none', async () => {
    const missing = '<w:headerReference w:type="first" r:id="rId9"/><w:titlePg/>';
    expect(await markdownOf(letter({}, { section: missing }))).toBe('Dear Ann\n');
    expect(await markdownOf(letter({ headerFirst: '' }, { section: '<w:titlePg/>' }))).toBe('Dear Ann\n');
    expect(asDocument('<hdr a="b" />')).toBe('<hdr a="b" ><body/></hdr>');
  });
});
