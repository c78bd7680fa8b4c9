import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from '../fixtures/make-docx.js';
import { chartPart, relationships, textLine } from '../fixtures/make-pptx.js';
import { docxType, Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const namespaces =
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';

async function read(body: string, parts: Readonly<Record<string, string>> = {}): Promise<string> {
  const files = Object.entries(parts).map(([name, xml]) => [`word/${name}`, Buffer.from(xml)] as const);
  const content = makeDocx(
    `<w:sdt ${namespaces}><w:sdtContent>${body}</w:sdtContent></w:sdt>`,
    Object.fromEntries(files),
  );
  return (await scratch.run(extractor, 'a.docx', docxType, content)).markdown;
}
const drawing = (content: string): string => `<w:r><w:drawing>${content}</w:drawing></w:r>`;
const inParagraph = (content: string): string => `<w:p>${content}</w:p>`;

describe('a chart of a Word document', () => {
  it('has its title and its values behind its paragraph, once, and so have the texts of a diagram', async () => {
    const chart = drawing('<c:chart r:id="c"/>');
    const body =
      inParagraph(`<w:r><w:t>Before</w:t></w:r>${chart}`) +
      inParagraph(drawing('<dgm:relIds r:dm="d"/>')) +
      inParagraph(chart) +
      paragraph('After');
    const parts = {
      '_rels/document.xml.rels': relationships([
        { id: 'c', type: 'chart', target: 'charts/chart1.xml' },
        { id: 'd', type: 'diagramData', target: 'diagrams/data1.xml' },
      ]),
      'charts/chart1.xml': chartPart('Ducks &amp; &lt;geese>', ['2019'], { Fresh: [120], Salt: [80] }),
      'diagrams/data1.xml': `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:t>${textLine('Plan')}</dgm:t></dgm:pt></dgm:dataModel>`,
    };
    expect(await read(body, parts)).toBe(
      'Before\n\nDucks & \\<geese>\n\nBar chart\n\n|  | Fresh | Salt |\n| --- | --- | --- |\n| 2019 | 120 | 80 |\n\n- Plan\n\nAfter\n',
    );
  });

  it('of a kind that Office has had since 2016 has its values, though its picture is all that older programs show', async () => {
    const body = `<mc:AlternateContent><mc:Choice Requires="cx1">${drawing('<cx:chart r:id="c"/>')}</mc:Choice><mc:Fallback><w:r><w:t>shown</w:t></w:r></mc:Fallback></mc:AlternateContent>`;
    const points = (values: readonly string[]): string =>
      values.map((value, at) => `<cx:pt idx="${at}">${value}</cx:pt>`).join('');
    const parts = {
      '_rels/document.xml.rels': relationships([{ id: 'c', type: 'chartEx', target: 'charts/chartEx1.xml' }]),
      'charts/chartEx1.xml': `<cx:chartSpace ${namespaces}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl>${points(['Cups', 'Bowls'])}</cx:lvl><cx:lvl>${points(['Red', 'White'])}</cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="0%">${points(['0.25', '0.5'])}</cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Clay</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="treemap"><cx:tx><cx:txData><cx:f>A1</cx:f><cx:v>Share</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
    };
    expect(await read(inParagraph(body), parts)).toBe(
      'shown\n\nClay\n\nTreemap\n\n|  | Share |\n| --- | --- |\n| Red Cups | 25% |\n| White Bowls | 50% |\n',
    );
  });

  it('that is missing leaves the text', async () => {
    expect(await read(inParagraph(drawing('<c:chart r:id="c"/>')) + paragraph('x'))).toBe('x\n');
  });
});

describe('a checkbox of a Word document', () => {
  const box = (isChecked: boolean): string =>
    `<w:sdt xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w:sdtPr><w14:checkbox><w14:checked w14:val="${isChecked ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt>`;

  it('shows whether it is checked', async () => {
    const text = '<w:r><w:t xml:space="preserve"> Clay</w:t></w:r>';
    expect(await read(inParagraph(box(true) + text) + inParagraph(box(false) + text))).toBe('☒ Clay\n\n☐ Clay\n');
  });
});

describe('the description of a picture of a Word document', () => {
  it('is no part of the words beside it', async () => {
    const picture = (description: string): string =>
      drawing(
        `<wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><wp:docPr descr="${description}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="p"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>`,
      );
    const relations =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="p" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/a.png"/></Relationships>';
    const body = inParagraph(`${picture('Kiln')}${picture('Pot')}<w:r><w:t>Text</w:t></w:r>`);
    expect(await read(body, { '_rels/document.xml.rels': relations })).toBe('Kiln Pot Text\n');
    // A missing picture is no reason to refuse the document.
    expect(await read(body)).toBe('Text\n');
  });
});

it('a link whose address is missing is its text', async () => {
  const link = '<w:hyperlink r:id="gone"><w:r><w:t>the offer</w:t></w:r></w:hyperlink>';
  expect(await read(inParagraph(`<w:r><w:t xml:space="preserve">See </w:t></w:r>${link}`))).toBe('See the offer\n');
});
