import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chartPart,
  frame,
  makePptx,
  pptxType,
  relationships,
  shape,
  slideCell,
  slideTable,
  textLine,
  type SlideFixture,
} from '../fixtures/make-pptx.js';
import { makeZip } from '../fixtures/make-zip.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'deck.pptx', pptxType, content);
const markdownOf = async (slide: SlideFixture, extra: Record<string, string> = {}): Promise<string> =>
  (await read(makePptx([slide], extra))).markdown;

describe('a presentation', () => {
  it('has a page for each slide, in the order in which they are shown, with the title as heading', async () => {
    const { markdown, pages, pageCount, metadata } = await read(
      makePptx([
        { shapes: shape('body', textLine('First point'), 1) + shape('ctrTitle', textLine('One')) },
        { shapes: shape('title', textLine('Two')) },
      ]),
    );
    expect(markdown).toBe('# One\n\n- First point\n\n# Two\n');
    expect(pages?.map(({ page, start, end }) => [page, markdown.slice(start, end)])).toStrictEqual([
      [1, '# One\n\n- First point'],
      [2, '# Two'],
    ]);
    expect([pageCount, metadata.page_count, metadata.title, metadata.author]).toStrictEqual([
      2,
      2,
      'Kilns & clay',
      'Ada',
    ]);
  });

  it('has its slides counted without reading them', async () => {
    const content = makePptx([{ shapes: '<p:sp>' }, { shapes: '' }]);
    const input = await scratch.input('deck.pptx', pptxType, content);
    expect(await extractor.countPages(input, new AbortController().signal)).toBe(2);
  });

  it('keeps hidden slides and marks them', async () => {
    const { markdown, metadata } = await read(
      makePptx([{ shapes: shape(null, textLine('a')) }, { shapes: shape('title', textLine('b')), isHidden: true }]),
    );
    expect(markdown).toBe('a\n\n# b\n\n*Hidden slide*\n');
    expect(metadata['hidden_slides']).toStrictEqual([2]);
  });

  it('that is encrypted, damaged or another zip fails with the reason', async () => {
    const fails = (content: Buffer, code: string): Promise<void> =>
      expect(read(content)).rejects.toMatchObject({ code, retryable: false });
    await fails(Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'), 'encrypted_file');
    await fails(makePptx([]).subarray(0, 300), 'corrupt_file');
    await fails(Buffer.alloc(0), 'corrupt_file');
    await fails(makeZip({ 'a.txt': Buffer.from('a') }), 'corrupt_file');
    await fails(makePptx([{ shapes: '<p:sp>' }]), 'corrupt_file');
  });
});

describe('a slide', () => {
  it('has the lists that its master, its layout or the paragraph itself define, with their levels', async () => {
    const number = '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>';
    const paragraphs =
      textLine('bullet of the master') +
      textLine('inner', '<a:pPr lvl="1"/>') +
      textLine('outer') +
      textLine('no bullet', '<a:pPr><a:buNone/></a:pPr>') +
      textLine('third', number) +
      textLine('fourth', number);
    expect(await markdownOf({ shapes: shape('body', paragraphs) })).toBe(
      '- bullet of the master\n    - inner\n- outer\n\nno bullet\n\n3. third\n4. fourth\n',
    );
    expect(await markdownOf({ shapes: shape(null, textLine('a text box has none')) })).toBe('a text box has none\n');
  });

  it('keeps emphasis, links, line breaks and the texts of groups', async () => {
    const run = (text: string, properties: string): string => `<a:r>${properties}<a:t>${text}</a:t></a:r>`;
    const paragraph = `<a:p>${run('bold', '<a:rPr b="1"/>')}${run(' and ', '')}${run('struck', '<a:rPr strike="sngStrike"/>')}<a:br/>${run('link', '<a:rPr i="1"><a:hlinkClick r:id="h"/></a:rPr>')}</a:p>`;
    const markdown = await markdownOf({
      shapes: `<p:grpSp>${shape(null, paragraph)}</p:grpSp>`,
      relationships: [{ id: 'h', type: 'hyperlink', target: 'https://a.example/b' }],
    });
    expect(markdown).toBe('**bold** and ~~struck~~\n[*link*](https://a.example/b)\n');
  });

  it('repeats merged cells of a table in each row and column they cover', async () => {
    const shapes = slideTable([
      slideCell('wide', ' gridSpan="2"') + slideCell('', ' hMerge="1"') + slideCell('c'),
      slideCell('tall', ' rowSpan="2"') + slideCell('1') + slideCell('2'),
      slideCell('', ' vMerge="1"') + slideCell('3') + slideCell('4 | 5'),
    ]);
    expect(await markdownOf({ shapes })).toBe(
      '| wide | wide | c |\n| --- | --- | --- |\n| tall | 1 | 2 |\n| tall | 3 | 4 \\| 5 |\n',
    );
  });

  it('has a title of two lines on one', async () => {
    const title = '<a:p><a:r><a:t>Red</a:t></a:r><a:br/><a:r><a:t>clay</a:t></a:r></a:p>';
    expect(await markdownOf({ shapes: shape('title', title) })).toBe('# Red clay\n');
  });

  it('has the title and the values of its charts, and the texts of its diagrams', async () => {
    const markdown = await markdownOf(
      {
        shapes: frame('<c:chart r:id="c"/>') + frame('<dgm:relIds r:dm="d"/>'),
        relationships: [
          { id: 'c', type: 'chart', target: '../charts/chart1.xml' },
          { id: 'd', type: 'diagramData', target: '../diagrams/data1.xml' },
        ],
      },
      {
        'ppt/charts/chart1.xml': chartPart('Ducks', ['2019', '2020'], { Fresh: [120, 0.1 + 0.2], Salt: [80, 95] }),
        'ppt/diagrams/data1.xml': `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t>${textLine('Plan')}</dgm:t></dgm:pt><dgm:pt/></dgm:ptLst></dgm:dataModel>`,
      },
    );
    expect(markdown).toBe(
      'Ducks\n\nBar chart\n\n|  | Fresh | Salt |\n| --- | --- | --- |\n| 2019 | 120 | 80 |\n| 2020 | 0.3 | 95 |\n\n- Plan\n',
    );
  });

  it('has the descriptions of its pictures, its speaker notes and its comments, but not what repeats on each slide', async () => {
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 4" descr="A blue kiln"/></p:nvPicPr></p:pic>';
    const markdown = await markdownOf(
      {
        shapes: picture + shape('ftr', textLine('Confidential')) + shape('sldNum', textLine('7')),
        notes: shape('body', textLine('Say hello.')) + shape('sldNum', textLine('7')),
        relationships: [{ id: 'k', type: 'comments', target: '../comments/comment1.xml' }],
      },
      { 'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>Too &lt;long&gt;</p:text></p:cm></p:cmLst>' },
    );
    expect(markdown).toBe('A blue kiln\n\n> **Notes**\n>\n> Say hello.\n\n> **Comment** Too \\<long>\n');
  });

  it('has the comments of both forms with who wrote them, and the replies', async () => {
    const markdown = await markdownOf(
      {
        shapes: shape(null, textLine('Text')),
        relationships: [
          { id: 'k', type: 'comments', target: '../comments/comment1.xml' },
          { id: 'm', type: 'comments', target: '../comments/modern1.xml' },
        ],
      },
      {
        'ppt/_rels/presentation.xml.rels': relationships([
          { id: 's0', type: 'slide', target: 'slides/slide1.xml' },
          { id: 'a', type: 'commentAuthors', target: 'commentAuthors.xml' },
          { id: 'b', type: 'authors', target: 'authors.xml' },
        ]),
        'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
        'ppt/authors.xml': '<p188:authorLst><p188:author id="{7}" name="Bob"/></p188:authorLst>',
        'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Why?</p:text></p:cm></p:cmLst>',
        'ppt/comments/modern1.xml': `<p188:cmLst><p188:cm authorId="{7}"><p188:replyLst><p188:reply authorId="{8}"><p188:txBody>${textLine('Yes')}</p188:txBody></p188:reply></p188:replyLst><p188:txBody>${textLine('Hot')}</p188:txBody></p188:cm></p188:cmLst>`,
      },
    );
    expect(markdown).toBe('Text\n\n> **Comment** Ann: Why?\n\n> **Comment** Bob: Hot\n\n> **Comment** Yes\n');
  });
});

describe('a formula of a slide', () => {
  const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
  const square = `<m:oMath><m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath>`;
  const choice = (content: string): string =>
    `<mc:AlternateContent><mc:Choice Requires="a14"><a14:m>${content}</a14:m></mc:Choice><mc:Fallback><a:r><a:t>x2</a:t></a:r></mc:Fallback></mc:AlternateContent>`;
  const line = (content: string): string => `<a:p>${content}</a:p>`;
  const text = (words: string): string => `<a:r><a:t>${words}</a:t></a:r>`;

  it('is LaTeX within its line, and a paragraph of its own if it is alone or displayed', async () => {
    const shapes = shape(
      null,
      line(text('Let ') + choice(square) + text(' be $5')) +
        line(choice(square)) +
        line(text('Then') + `<a14:m><m:oMathPara>${square}</m:oMathPara></a14:m>`),
    );
    expect(await markdownOf({ shapes })).toBe('Let $x^{2}$ be \\$5\n\n$$x^{2}$$\n\nThen\n\n$$x^{2}$$\n');
  });

  it('is in an item of a list and in a cell of a table', async () => {
    const cell = `<a:tc><a:txBody>${line(choice(square))}</a:txBody></a:tc>`;
    const shapes = shape('body', line(choice(square)), 1) + slideTable([cell + slideCell('a'), slideCell('b')]);
    expect(await markdownOf({ shapes })).toContain('- $x^{2}$\n');
    expect(await markdownOf({ shapes })).toContain('| $x^{2}$ | a |\n');
  });
});
