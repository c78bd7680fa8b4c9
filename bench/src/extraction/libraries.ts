// What the libraries take alone: the text of each page, or the parsed document, without layout, markdown or metadata. The other kinds
// have readers of their own.
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { parse as parseCsv } from 'csv-parse/sync';
import mammoth from 'mammoth';
import { parse as parseHtml } from 'parse5';
import PostalMime from 'postal-mime';

const pdfium = await PDFiumLibrary.init();

async function pdf(bytes: Buffer): Promise<void> {
  const document = await pdfium.loadDocument(bytes);
  for (const page of document.pages()) page.getText();
  document.destroy();
}

export const libraries: Readonly<Record<string, { name: string; read: (bytes: Buffer) => Promise<unknown> }>> = {
  pdf: { name: 'pdfium', read: pdf },
  docx: { name: 'mammoth', read: (bytes) => mammoth.convertToHtml({ buffer: bytes }) },
  html: { name: 'parse5', read: async (bytes) => parseHtml(bytes.toString()) },
  eml: { name: 'postal-mime', read: (bytes) => PostalMime.parse(bytes) },
  csv: { name: 'csv-parse', read: async (bytes) => parseCsv(bytes.toString(), { relax_column_count: true }) },
};
