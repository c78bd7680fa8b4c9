// Real: pdfium and the whole engine. Faked: nothing.
import { expect, it } from '@jest/globals';
import { PDFDocument, PDFString, StandardFonts } from 'pdf-lib';
import { readPdf } from './read-pdf.js';

it.each([
  ['lower left', [59, 668, 150, 682]],
  ['upper left', [59, 682, 150, 668]],
  ['upper right', [150, 682, 59, 668]],
])('a link is found if its rectangle begins at the %s', async (_corner, rectangle) => {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  page.drawText('Number of kilns', {
    x: 60,
    y: 670,
    size: 11,
    font: await document.embedFont(StandardFonts.Helvetica),
  });
  const action = { Type: 'Action', S: 'URI', URI: PDFString.of('https://kiln.example/form') };
  const link = document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: rectangle, A: action });
  page.node.addAnnot(document.context.register(link));
  const { markdown } = await readPdf(await document.save(), { filename: 'a.pdf' });
  expect(markdown).toBe('[Number of kilns](https://kiln.example/form)\n');
});
