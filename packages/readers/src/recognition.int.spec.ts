// Real: pdfium, libvips, Tesseract and the engines. Each recognition takes about a second.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { createLocalExtractor } from './local-extractor.js';
import { PdfDrawing } from '@kiln/pdf/fixtures/draw-pdf';
import { scanOf } from '@kiln/ocr/fixtures/make-scan';
import { rawPdf } from '@kiln/pdf/fixtures/raw-pdf';
import { Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';

let scratch: Scratch;
let scan: Buffer;

/** A page with a title, a paragraph and a table, as a scanner sees it. */
async function drawScan(): Promise<Buffer> {
  const drawing = await PdfDrawing.start([300, 200]);
  drawing.text(30, 40, 'Firing Schedule', { face: 'sans', size: 18 });
  drawing.paragraph(30, 70, 240, 'The kiln is heated slowly, because wet clay cracks.', { face: 'sans', size: 10 });
  for (const y of [100, 125, 150]) drawing.line(30, y, 270, y);
  for (const x of [30, 150, 270]) drawing.line(x, 100, x, 150);
  for (const [row, cells] of [
    ['Hour', 'Degrees'],
    ['7', '640'],
  ].entries())
    for (const [column, text] of cells.entries())
      drawing.text(40 + column * 120, 116 + row * 25, text, { face: 'sans', size: 10 });
  return scanOf(await drawing.save());
}

/** A page with a text layer, followed by scanned pages that are turned clockwise by these degrees. */
async function mixedPdf(rotations: readonly number[]): Promise<Buffer> {
  const drawing = await PdfDrawing.start([300, 200]);
  drawing.text(30, 60, 'A page that is typed.');
  const document = await PDFDocument.load(await drawing.save());
  for (const rotation of rotations) {
    const picture = await document.embedPng(await sharp(scan).rotate(rotation).toBuffer());
    const [width, height] = [picture.width * 0.48, picture.height * 0.48];
    document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height });
  }
  return Buffer.from(await document.save());
}

const expected =
  /^# Firing Schedule\n\nThe kiln is heated slowly, because wet clay cracks\.\n\n\| Hour \| Degrees \|\n\| --- \| --- \|\n\| 7 \| 640 \|$/;

beforeAll(async () => {
  scratch = await Scratch.make();
  scan = await drawScan();
});
afterAll(() => scratch.remove());

describe('pages that are pictures of text', () => {
  it('are read with their structure, also sideways, beside pages with text', async () => {
    const extractor = createLocalExtractor(defaultLimits, { languages: ['eng'] });
    const content = await mixedPdf([0, 90]);
    const { markdown, pages, metadata } = await scratch.run(extractor, 'a.pdf', 'application/pdf', content);
    const texts = pages?.map(({ start, end }) => markdown.slice(start, end)) ?? [];
    expect(texts[0]).toBe('A page that is typed.');
    expect(texts[1]).toMatch(expected);
    const titles = pages
      ?.slice(1)
      .map(({ lines = [] }) => lines[0]?.slice(2).map((share) => Math.round(share / 1_000)));
    // x, y, width and height in tenths of the page. The second scan is turned clockwise, so its title is on the right.
    expect(titles).toStrictEqual([
      [1, 1, 4, 1],
      [8, 1, 1, 4],
    ]);
    expect(texts[2]).toMatch(expected);
    expect(metadata).toMatchObject({ page_count: 3, ocr_pages: 2 });
  });

  it('are left out beyond the limit, and counted; a scan of more is refused before any is read', async () => {
    const extractor = createLocalExtractor({ ...defaultLimits, ocrPagesMax: 0 });
    const mixed = await scratch.run(extractor, 'a.pdf', 'application/pdf', await mixedPdf([0]));
    expect(mixed.markdown).toBe('A page that is typed.\n');
    expect(mixed.metadata).toMatchObject({ ocr_pages_left_out: 1 });
    const document = await PDFDocument.load(await mixedPdf([0, 0]));
    document.removePage(0);
    const scanned = scratch.run(extractor, 'b.pdf', 'application/pdf', Buffer.from(await document.save()));
    await expect(scanned).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/2 pages without readable text.* up to 0 .* remote engine/),
    });
  });
});

describe('a page whose fonts do not say what they show', () => {
  const alphabet = 'Thequickbrownfxjmpsvtlazydg.';
  const codes = (text: string): string =>
    Array.from(text, (letter) => (letter === ' ' ? ' ' : String.fromCharCode(65 + alphabet.indexOf(letter)))).join('');
  const lines = ['The quick brown fox', 'jumps over the lazy dog.'];
  /** The lines as text in a font, with the parentheses of codes escaped. */
  const show = (font: string, text: (line: string) => string): string =>
    lines
      .map((line, at) => `BT /${font} 14 Tf 60 ${700 - at * 18} Td (${text(line).replace(/[\\()]/g, '\\$&')}) Tj ET`)
      .join('\n');

  it('is recognized, whether they state private characters or nothing', async () => {
    const extractor = createLocalExtractor(defaultLimits, { languages: ['eng'] });
    const stating = rawPdf({
      contents: [show('F2', (line) => line.replace(/\P{L}/gu, ' '))],
      letters: Array.from({ length: 58 }, (_, index) => String.fromCharCode(0xe000 + index)).join(''),
    });
    const silent = rawPdf({ contents: [show('F3', codes)], drawings: alphabet });
    for (const content of [stating, silent]) {
      const { markdown, metadata } = await scratch.run(extractor, 'a.pdf', 'application/pdf', content);
      expect(markdown).toMatch(/^The quick brown fox jumps over the lazy dog\.?\n$/);
      expect(metadata).toMatchObject({ ocr_pages: 1 });
    }
  });

  it('is not recognized if their codes are the characters', async () => {
    const drawings = Array.from({ length: 58 }, (_, index) => String.fromCharCode(65 + index)).join('');
    const content = rawPdf({ contents: [show('F3', (line) => line)], drawings: drawings.replace('\\', '/') });
    const { markdown, metadata } = await scratch.run(
      createLocalExtractor(defaultLimits),
      'a.pdf',
      'application/pdf',
      content,
    );
    expect(markdown).toContain('quick brown fox');
    expect(metadata).not.toHaveProperty('ocr_pages');
  });
});

describe('a page with text on a picture', () => {
  it('is not recognized', async () => {
    const document = await PDFDocument.load(await mixedPdf([0]));
    document.getPage(1).drawText('This slide has a picture behind its text.', { x: 20, y: 20, size: 9 });
    const page = document.getPage(1);
    page.drawText('Typed words.', { x: 40, y: 100, size: 12 });
    page.drawText('And some more of them.', { x: 40, y: 80, size: 12 });
    const content = Buffer.from(await document.save());
    const { markdown, metadata } = await scratch.run(
      createLocalExtractor(defaultLimits),
      'slides.pdf',
      'application/pdf',
      content,
    );
    expect(markdown).toContain('And some more of them.');
    expect(markdown).not.toContain('kiln');
    expect(metadata).not.toHaveProperty('ocr_pages');
  });
});

describe('an image', () => {
  it('has its text', async () => {
    const extractor = createLocalExtractor(defaultLimits);
    const { markdown, metadata } = await scratch.run(extractor, 'scan.png', 'image/png', scan);
    expect(markdown.trim()).toMatch(expected);
    expect(metadata).toMatchObject({ format: 'png', page_count: null, word_count: 15, ocr_pages: 1 });
  });
});
