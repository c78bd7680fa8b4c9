// Real: pdfium, Tesseract and the engines. Each recognition takes about a second.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { scanOf } from '@kiln/ocr/fixtures/make-scan';
import { PdfDrawing } from '@kiln/pdf/fixtures/draw-pdf';
import { emlType, makeEml } from '../fixtures/make-eml.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

async function scannedPdf(): Promise<Buffer> {
  const drawing = await PdfDrawing.start([300, 100]);
  drawing.paragraph(30, 30, 240, 'The kiln is heated slowly, because wet clay cracks.', { face: 'sans', size: 10 });
  const document = await PDFDocument.create();
  const picture = await document.embedPng(await scanOf(await drawing.save()));
  document.addPage([300, 100]).drawImage(picture, { x: 0, y: 0, width: 300, height: 100 });
  return Buffer.from(await document.save());
}

it('Scans that are attached to a message share the time for recognition, and the message says what was left out', async () => {
  const content = await scannedPdf();
  const parts = ['one.pdf', 'two.pdf'].map((filename) => ({ type: 'application/pdf', filename, content }));
  const extractor = createLocalExtractor({ ...defaultLimits, ocrMillisecondsMax: 1 }, { languages: ['eng'] });
  const { markdown } = await scratch.run(extractor, 'a.eml', emlType, makeEml(parts));
  expect(markdown).toMatch(
    /one\.pdf \(application\/pdf, [^,]*\), two\.pdf \(application\/pdf, [^,]*, not read: one page\)/,
  );
  expect(markdown.match(/wet clay cracks/g)).toHaveLength(1);
});
