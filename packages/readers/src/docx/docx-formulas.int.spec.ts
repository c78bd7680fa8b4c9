import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph, wordNamespace } from '../fixtures/make-docx.js';
import { renderMarkdown } from '../fixtures/render-markdown.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const namespace = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

async function read(body: string, parts: Readonly<Record<string, string>> = {}): Promise<string> {
  const files = Object.entries(parts).map(([name, xml]) => [`word/${name}`, Buffer.from(xml)] as const);
  const content = makeDocx(
    `<w:sdt ${namespace}><w:sdtContent>${body}</w:sdtContent></w:sdt>`,
    Object.fromEntries(files),
  );
  return (await scratch.run(extractor, 'a.docx', docxType, content)).markdown;
}
const text = (words: string): string => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const inParagraph = (...content: string[]): string => `<w:p>${content.join('')}</w:p>`;
const run = (characters: string): string => `<m:r><m:t>${characters}</m:t></m:r>`;
const math = (...content: string[]): string => `<m:oMath>${content.join('')}</m:oMath>`;
const square = `<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`;

describe('a formula of a Word document', () => {
  it('is LaTeX within the text, apart from letters and digits', async () => {
    const body = inParagraph(text('Let '), math(square), text('be '), math(run('a_1*b')), math(run('c')), text(', 5'));
    expect(await read(body)).toBe('Let $x^{2}$ be $a\\_1\\ast b$ $c$, 5\n');
  });

  it.each([
    ['a paragraph of formulas', `<m:oMathPara>${math(square)}${math(run('c=d'))}</m:oMathPara>`],
    ['formulas and nothing else', math(square) + text(' ') + math(run('c=d'))],
  ])('is a paragraph of its own if that has %s', async (_name, content) => {
    const markdown = await read(paragraph('Before') + inParagraph(content) + paragraph('After'));
    expect(markdown).toBe('Before\n\n$$x^{2}$$\n\n$$c=d$$\n\nAfter\n');
  });

  it('divides a paragraph with text if Word displays it', async () => {
    const body = inParagraph(text('Before'), `<m:oMathPara>${math(square)}</m:oMathPara>`, text('After'));
    expect(await read(body)).toBe('Before\n\n$$x^{2}$$\n\nAfter\n');
  });

  it('is on the line of a heading, and in the cell of a table, where it has no bar', async () => {
    const absolute = `<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e>${run('a|b')}</m:e></m:d>`;
    const displayed = `<m:oMathPara>${math(absolute)}</m:oMathPara>`;
    const heading = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${text('About ')}${displayed}</w:p>`;
    const row = (content: string): string => `<w:tr><w:tc>${content}</w:tc><w:tc>${paragraph('|')}</w:tc></w:tr>`;
    const table = `<w:tbl>${row(inParagraph(displayed))}${row(inParagraph(math(square)))}</w:tbl>`;
    const latex = '$\\left\\vert a\\vert b\\right\\vert$';
    expect(await read(heading + table)).toBe(
      `# About ${latex}\n\n| ${latex} | \\| |\n| --- | --- |\n| $x^{2}$ | \\| |\n`,
    );
  });

  it('is in notes, too', async () => {
    const notes = `<w:footnotes ${wordNamespace} ${namespace}><w:footnote w:id="2">${inParagraph(text('As '), math(square))}</w:footnote></w:footnotes>`;
    const body = inParagraph(text('Clay'), '<w:r><w:footnoteReference w:id="2"/></w:r>', math(run('a=b')));
    const markdown = await read(body, { 'footnotes.xml': notes });
    expect(markdown).toContain('$a=b$');
    expect(markdown).toContain('1. As $x^{2}$\n');
  });

  it('lets dollar signs of the text be text, which stay as they are in a document without formulas', async () => {
    expect(await read(inParagraph(text('From $5 to $'), math(square)) + paragraph('US$'))).toBe(
      'From \\$5 to \\$ $x^{2}$\n\nUS\\$\n',
    );
    expect(await read(paragraph('From $5 to $6'))).toBe('From $5 to $6\n');
  });

  it('is written once, whatever bookmarks the document has', async () => {
    const bookmark = '<w:bookmarkStart w:name="formula-0"/>';
    const body = inParagraph(math(square)) + inParagraph(bookmark, text('a'), '<w:bookmarkStart w:name="formula-7"/>');
    expect(await read(body)).toBe('$$x^{2}$$\n\na\n');
    expect(await read(inParagraph(bookmark, text('a')))).toBe('a\n');
  });

  it('does not become HTML or a link where markdown is rendered without formulas', async () => {
    const hostile = '&lt;img src=x onerror=alert(1)&gt;[a](http://a.example) `b` www.example.com';
    const body =
      inParagraph(text('x '), math(run(hostile))) +
      inParagraph(math(`<m:r><m:rPr><m:nor/></m:rPr><m:t>${hostile}</m:t></m:r>`));
    expect(renderMarkdown(await read(body)).elements).toEqual(['p', 'p']);
  });
});
