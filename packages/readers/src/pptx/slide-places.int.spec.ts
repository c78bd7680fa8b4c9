import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { frame, makePptx, pptxType, shape, slideCell, textLine, type SlideFixture } from '../fixtures/make-pptx.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

/** Of a slide of 9,144,000 × 6,858,000 units: hundredths of its width and height. */
const [ACROSS, DOWN] = [91_440, 68_580];

const box = (x: number, y: number, width: number, height: number, attributes = '') =>
  `<a:xfrm${attributes}>${extent(x, y, width, height)}</a:xfrm>`;
const extent = (
  x: number,
  y: number,
  width: number,
  height: number,
  [offset, size] = ['off', 'ext'] as [string, string],
) => `<a:${offset} x="${x * ACROSS}" y="${y * DOWN}"/><a:${size} cx="${width * ACROSS}" cy="${height * DOWN}"/>`;
/** A text box, or a placeholder, in a place. */
const placed = (transform: string, text: string, type: string | null = null) =>
  shape(
    type,
    text
      .split('|')
      .map((line) => textLine(line))
      .join(''),
  ).replace('<p:txBody>', `<p:spPr>${transform}</p:spPr><p:txBody>`);

/** The text and the region of each line, in hundredths of the slide. */
async function linesOf(slides: readonly SlideFixture[], extra: Record<string, string> = {}) {
  const { markdown, pages } = await scratch.run(extractor, 'a.pptx', pptxType, makePptx(slides, extra));
  return (pages ?? []).map(({ lines = [], width, height }) => ({
    size: [width, height],
    lines: lines.map(([start, end, ...region]) => [markdown.slice(start, end), region.map((part) => part / 100)]),
  }));
}
const firstLines = async (shapes: string, extra?: Record<string, string>) =>
  (await linesOf([{ shapes }], extra))[0]?.lines ?? [];

describe('where the text of a slide stands', () => {
  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterAll(() => scratch.remove());

  it('is the box of its shape, for each sentence, on a slide of known size', async () => {
    const shapes =
      placed(box(10, 5, 80, 10), 'On kilns', 'title') +
      placed(box(10, 20, 40, 30), 'Clay dries. It shrinks!|Then it is fired');
    const [first, second] = await linesOf([{ shapes }, { shapes: placed(box(0, 0, 50, 50), 'More') }]);
    expect(first).toStrictEqual({
      size: [720, 540],
      lines: [
        ['On kilns', [10, 5, 80, 10]],
        ['Clay dries', [10, 20, 40, 30]],
        ['It shrinks', [10, 20, 40, 30]],
        ['Then it is fired', [10, 20, 40, 30]],
      ],
    });
    expect(second?.lines).toStrictEqual([['More', [0, 0, 50, 50]]]);
  });

  it('follows groups, which move and scale what they contain, and rotations', async () => {
    // The group is drawn at half its size, 20 hundredths to the right and 40 down.
    const grouped = `<p:grpSp><p:grpSpPr><a:xfrm>${extent(20, 40, 50, 25)}${extent(0, 0, 100, 50, ['chOff', 'chExt'])}</a:xfrm></p:grpSpPr>${placed(box(10, 10, 20, 20), 'Inside')}</p:grpSp>`;
    expect(await firstLines(grouped)).toStrictEqual([['Inside', [25, 45, 10, 10]]]);
    // 40 × 10 hundredths are 3,657,600 × 685,800 units.
    const upright = placed(box(30, 45, 40, 10, ' rot="5400000"'), 'Upright');
    expect(await firstLines(upright)).toStrictEqual([['Upright', [46.25, 23.33, 7.5, 53.34]]]);
  });

  it('is that of the placeholder of the layout if the shape states none, else of the master', async () => {
    const sheet = (name: string, shapes: string) =>
      `<p:${name} xmlns:a="a" xmlns:p="p"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`;
    const extra = {
      'ppt/slideLayouts/slideLayout1.xml': sheet('sldLayout', placed(box(1, 2, 30, 40), '', 'body')),
      'ppt/slideMasters/slideMaster1.xml': sheet(
        'sldMaster',
        placed(box(5, 6, 70, 8), '', 'title') + placed(box(9, 9, 9, 9), '', 'body'),
      ),
    };
    const shapes =
      shape('title', textLine('Head')) + shape('body', textLine('Text')) + shape(null, textLine('Nowhere'));
    expect(await firstLines(shapes, extra)).toStrictEqual([
      ['Head', [5, 6, 70, 8]],
      ['Text', [1, 2, 30, 40]],
    ]);
  });

  it('of a table is the cell, by the widths of columns and the heights of rows', async () => {
    const grid = '<a:tblGrid><a:gridCol w="100"/><a:gridCol w="300"/></a:tblGrid>';
    const rows = [slideCell('a1') + slideCell('b1'), slideCell('wide', ' gridSpan="2"') + slideCell('', ' hMerge="1"')];
    const table = `<a:tbl>${grid}${rows.map((row) => `<a:tr h="50">${row}</a:tr>`).join('')}</a:tbl>`;
    const placedTable = frame(table).replace('<a:graphic>', `<p:xfrm>${extent(20, 20, 40, 20)}</p:xfrm><a:graphic>`);
    expect(await firstLines(placedTable)).toStrictEqual([
      ['a1', [20, 20, 10, 10]],
      ['b1', [30, 20, 30, 10]],
      ['wide', [20, 30, 40, 10]],
    ]);
  });

  it('is left out beside the slide, and cut at its edge, whatever numbers a file states', async () => {
    const beside = placed(box(120, 0, 10, 10), 'Beside') + placed(box(90, 90, 50, 50), 'Edge');
    expect(await firstLines(beside)).toStrictEqual([['Edge', [90, 90, 10, 10]]]);
    const strange = placed('<a:xfrm><a:off x="9e9" y="-"/><a:ext cx="1" cy="1"/></a:xfrm>', 'Strange');
    expect(await firstLines(strange)).toStrictEqual([]);
    const flat = {
      'ppt/presentation.xml':
        '<p:presentation><p:sldSz cx="0" cy="x"/><p:sldIdLst><p:sldId r:id="s0"/></p:sldIdLst></p:presentation>',
    };
    expect(await firstLines(placed(box(0, 0, 10, 10), 'Text'), flat)).toStrictEqual([['Text', [0, 0, 10, 10]]]);
  });
});
