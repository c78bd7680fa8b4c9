// Real: the engines. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from '../fixtures/make-docx.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const chunk = (id: string): string => `<w:altChunk xmlns:r="${office}" r:id="${id}"><w:altChunkPr/></w:altChunk>`;

async function read(body: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const relations = Object.keys(files).map(
    (name) => `<Relationship Id="${name.split('.')[0]}" Type="${office}/aFChunk" Target="${name}"/>`,
  );
  const list = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`;
  const parts = Object.fromEntries(Object.entries(files).map(([name, content]) => [`word/${name}`, content]));
  const content = makeDocx(body, { ...parts, 'word/_rels/document.xml.rels': Buffer.from(list) });
  return (await scratch.run(extractor, 'a.docx', docxType, content)).markdown;
}

const page =
  '<html><body><h1>Kilns</h1><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table></body></html>';
const archive = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; type="text/html"; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset="utf-8"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  page.replaceAll('=', '=3D'),
  '--b--',
].join('\r\n');
const shown = '# Kilns\n\n| a | b |\n| --- | --- |\n| 1 | 2 |';

describe('a file within the text of a Word document', () => {
  it.each([
    ['a page', 'f1.html', Buffer.from(page)],
    ['an archive of a page', 'f1.mht', Buffer.from(archive)],
  ])('is read in its place: %s', async (_, name, content) => {
    const body = paragraph('before') + chunk('f1') + paragraph('after') + chunk('f1');
    expect(await read(body, { [name]: content })).toBe(`before\n\n${shown}\n\nafter\n`);
  });

  it('may be a Word document with a page in it, to a depth of three', async () => {
    let content: Buffer = Buffer.from(page);
    let name = 'f.html';
    const around = async (): Promise<string> => read(paragraph('outer') + chunk('f'), { [name]: content });
    expect(await around()).toBe(`outer\n\n${shown}\n`);
    const relation = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="f" Type="${office}/aFChunk" Target="f.docx"/></Relationships>`;
    for (let depth = 0; depth < 5; depth++) {
      const inner = {
        [`word/${name}`]: content,
        'word/_rels/document.xml.rels': Buffer.from(relation.replace('f.docx', name)),
      };
      content = makeDocx(paragraph(`level ${depth}`) + chunk('f'), inner);
      name = 'f.docx';
    }
    expect(await around()).toMatch(/^outer\n\nlevel 4\n\nlevel 3\n\nlevel 2\n\nf\.docx \(.*too many files\)\n$/);
  });

  it('that is damaged is named with the reason, and the document is read', async () => {
    const markdown = await read(paragraph('before') + chunk('f1'), {
      'f1.docx': Buffer.from('PK\x03\x04broken', 'latin1'),
    });
    expect(markdown).toMatch(/^before\n\nf1\.docx \(.*not read: damaged\)\n$/);
  });
});
