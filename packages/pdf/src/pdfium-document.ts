import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { isoDate } from './iso-date.js';
import { cleanText } from './clean-text.js';
import { damagedFile, encryptedFile } from './extraction-error.js';
import { type RawPdfium, ResultBuffer } from './pdfium/raw-pdfium.js';

export interface PdfProperties {
  title: string | null;
  author: string | null;
  details: Record<string, string | number | boolean>;
}

export interface PdfDocument {
  pageCount: number;
  properties: PdfProperties;
  pdfium: RawPdfium;
  /** pdfium's address of the document. */
  pointer: number;
  close(): void;
}

const detailTags = {
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
};
const dateTags = { created: 'CreationDate', modified: 'ModDate' };
let library: Promise<PDFiumLibrary> | null = null;

/** @throws ExtractionError encrypted_file or corrupt_file */
export async function openPdf(bytes: Uint8Array, filename: string): Promise<PdfDocument> {
  library ??= PDFiumLibrary.init();
  const pdfiumLibrary = await library;
  const document = await load(pdfiumLibrary, bytes, filename);
  // These are private in the library's types, but its public API does not give the positions of text.
  const { wasmExports: pdfium } = (pdfiumLibrary as unknown as { module: { wasmExports: RawPdfium } }).module;
  const { documentIdx: pointer } = document as unknown as { documentIdx: number };
  const pageCount = document.getPageCount();
  if (pageCount === 0) {
    document.destroy();
    throw damagedFile('a PDF', filename, new Error('no pages'));
  }
  return {
    pageCount,
    properties: readProperties(pdfium, pointer),
    pdfium,
    pointer,
    close: () => document.destroy(),
  };
}

export async function withPdf<Result>(
  bytes: Uint8Array,
  filename: string,
  use: (document: PdfDocument) => Result,
): Promise<Result> {
  const document = await openPdf(bytes, filename);
  try {
    return use(document);
  } finally {
    document.close();
  }
}

/** Whether an error is a fault of the module: a trap of WebAssembly, or the end of its memory. */
export function isPdfiumFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}

/** Loads the module anew for the next document. After a fault, its memory may be broken. */
export function discardPdfium(): void {
  library = null;
}

async function load(pdfium: PDFiumLibrary, bytes: Uint8Array, filename: string): Promise<PDFiumDocument> {
  try {
    return await pdfium.loadDocument(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (/password|security/i.test(reason)) {
      throw encryptedFile(filename, error);
    }
    throw damagedFile('a PDF', filename, error);
  }
}

/** Entries of the information dictionary (ISO 32000-1, 14.3.3). */
function readProperties(pdfium: RawPdfium, document: number): PdfProperties {
  const name = new ResultBuffer(pdfium);
  const result = new ResultBuffer(pdfium);
  try {
    const read = (tag: string): string | null => {
      const bytes = pdfium.FPDF_GetMetaText(document, name.ascii(tag), result.pointer, result.bytes);
      const text = cleanText(result.text(bytes, 'utf16le')).replace(/\s+/g, ' ').trim();
      return text === '' ? null : text;
    };
    const details: PdfProperties['details'] = {};
    for (const [key, tag] of Object.entries(detailTags)) {
      const text = read(tag);
      if (text !== null) details[key] = text;
    }
    for (const [key, tag] of Object.entries(dateTags)) {
      const date = pdfDate(read(tag) ?? '');
      if (date !== null) details[key] = date;
    }
    if (pdfium.FPDF_GetFileVersion(document, result.pointer) !== 0) {
      details['pdf_version'] = (result.integer(0) / 10).toFixed(1);
    }
    details['is_tagged'] = pdfium.FPDFCatalog_IsTagged(document) !== 0;
    const attached = pdfium.FPDFDoc_GetAttachmentCount(document);
    if (attached > 0) details['attachment_count'] = attached;
    return { title: read('Title'), author: read('Author'), details };
  } finally {
    name.free();
    result.free();
  }
}

/** `D:20250124113949+01'00'` → `2025-01-24T11:39:49+01:00`. Null for other forms that are not ISO 8601. */
export function pdfDate(date: string): string | null {
  const match = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?\d{2}'?)?/.exec(date);
  if (match === null) return isoDate(date);
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const offset = zone.startsWith('Z') ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(/'/g, '').slice(3, 5)}`;
  return isoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
}
