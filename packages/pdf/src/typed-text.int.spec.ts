// Real: pdfium and the whole engine. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { PDFDocument, type PDFPage, PDFString, StandardFonts } from 'pdf-lib';
import { readPdf } from './read-pdf.js';

/** A page with two labels, on which `type` has typed. */
async function read(type: (document: PDFDocument, page: PDFPage) => void): Promise<string> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([595, 842]);
  page.drawText('Name of the applicant:', { x: 60, y: 700, size: 11, font });
  page.drawText('Number of kilns:', { x: 60, y: 670, size: 11, font });
  type(document, page);
  return (await readPdf(await document.save(), { filename: 'form.pdf' })).markdown;
}

function fill(document: PDFDocument, page: PDFPage, flags = 0): void {
  const form = document.getForm();
  for (const [name, text, y] of [
    ['name', 'Ada Lovelace', 695],
    ['kilns', '17', 665],
  ] as const) {
    const field = form.createTextField(name);
    field.setText(text);
    field.addToPage(page, { x: 190, y, width: 200, height: 18 });
    for (const widget of field.acroField.getWidgets()) if (flags !== 0) widget.setFlags(flags);
  }
}

function annotate(page: PDFPage, annotation: Record<string, string | number[] | PDFString>, drawing: string): void {
  const { context } = page.doc;
  const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
  const appearance = context.stream(drawing, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 200, 20],
    Resources: { Font: { F1: font } },
  });
  const whole = { Type: 'Annot', ...annotation, AP: { N: context.register(appearance) } };
  page.node.addAnnot(context.register(context.obj(whole)));
}

describe('the text of a form', () => {
  it('has the values of its fields beside their labels', async () => {
    expect(await read(fill)).toBe('Name of the applicant: Ada Lovelace\n\nNumber of kilns: 17\n');
  });

  it('has no values that no program shows', async () => {
    const hidden = 2;
    expect(await read((document, page) => fill(document, page, hidden))).not.toMatch(/Ada|17/);
  });

  it('has what was typed onto the page without a field, and keeps the links of the page', async () => {
    const markdown = await read((document, page) => {
      const address = { Type: 'Action', S: 'URI', URI: PDFString.of('https://kiln.example/form') };
      const link = { Type: 'Annot', Subtype: 'Link', Rect: [59, 668, 150, 682], A: address };
      page.node.addAnnot(document.context.register(document.context.obj(link)));
      annotate(
        page,
        { Subtype: 'FreeText', Rect: [190, 695, 390, 715], Contents: PDFString.of('Ada Lovelace') },
        'BT /F1 11 Tf 0 5 Td (Ada Lovelace) Tj ET',
      );
    });
    expect(markdown).toBe('Name of the applicant: Ada Lovelace\n\n[Number of kilns:](https://kiln.example/form)\n');
  });
});
