// Real: pdfium and the whole engine. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { PdfDrawing } from './fixtures/draw-pdf.js';
import { rawPdf } from './fixtures/raw-pdf.js';
import { readPdf } from './read-pdf.js';

const prose = 'Kilns heat clay until it becomes stone, and good ones lose little of their heat while they do so.';

describe('the places of text', () => {
  it('are those of its lines on the page, in order, also in tables and columns', async () => {
    const drawing = await PdfDrawing.start();
    drawing.text(60, 80, 'Firing', { face: 'bold', size: 16 });
    drawing.paragraph(60, 120, 450, `${prose} `.repeat(3).trim(), { size: 11 });
    for (const [row, cells] of [
      ['Name', 'Degrees'],
      ['Bisque', '1,000'],
      ['Glaze', '1,200'],
    ].entries()) {
      for (const [column, cell] of cells.entries()) drawing.text(64 + column * 200, 300 + row * 20, cell);
      drawing.line(60, 286 + row * 20, 460, 286 + row * 20);
    }
    drawing.line(60, 346, 460, 346);
    for (const x of [60, 260, 460]) drawing.line(x, 286, x, 346);
    const { markdown, pages } = await readPdf(await drawing.save(), { filename: 'a.pdf' });
    const [{ width = 0, height = 0, lines = [] } = {}] = pages;
    expect([width, height]).toStrictEqual([595, 842]);
    const placed = lines.map(([start, end, x, y]) => [
      markdown.slice(start, end),
      Math.round((x * width) / 10_000),
      Math.round((y * height) / 10_000 / 20),
    ]);
    expect(placed[0]).toStrictEqual(['Firing', 60, 3]);
    expect(
      placed
        .slice(1, -6)
        .map(([text]) => text)
        .join(' '),
    ).toBe(`${prose} `.repeat(3).slice(0, -2));
    expect(placed.slice(-6)).toStrictEqual([
      ['Name', 64, 15],
      ['Degrees', 264, 15],
      ['Bisque', 64, 16],
      ['1,000', 264, 16],
      ['Glaze', 64, 17],
      ['1,200', 264, 17],
    ]);
  });

  it('are those of the page as it is shown, if it is turned', async () => {
    const turned = rawPdf({ contents: ['BT /F1 10 Tf 0 1 -1 0 100 50 Tm (sideways in the file) Tj ET'], rotate: 90 });
    const { markdown, pages } = await readPdf(turned, { filename: 'a.pdf' });
    const [{ width = 0, height = 0, lines = [] } = {}] = pages;
    expect([markdown, width > height]).toStrictEqual(['sideways in the file\n', true]);
    const [, , x, y, across, down] = lines[0] ?? [0, 0, 0, 0, 0, 0];
    expect([(x * width) / 10_000, (y * height) / 10_000 < 120, across * width > down * height]).toStrictEqual([
      expect.closeTo(50, 0),
      true,
      true,
    ]);
  });
});
