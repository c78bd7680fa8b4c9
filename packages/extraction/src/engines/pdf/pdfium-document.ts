import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { cleanText } from '../../text/decode-text.js';
import { corruptFile, encryptedFile } from '../engine-failure.js';

export interface PdfProperties {
  title: string | null;
  author: string | null;
  details: Record<string, string>;
}

export interface PdfDocument {
  pageCount: number;
  properties: PdfProperties;
  /** The text in logical order, with the lines of the page. Pages count from 1. */
  pageText(page: number): string;
  close(): void;
}

/** Functions of the WebAssembly module that the library does not expose in its API. */
interface PdfiumModule {
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, bufferBytes: number): number;
  wasmExports: { malloc: (bytes: number) => number; free: (pointer: number) => void };
  HEAPU8: Uint8Array;
}

const metaBytesMax = 4096;
const detailTags = {
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  created: 'CreationDate',
  modified: 'ModDate',
};
let library: Promise<PDFiumLibrary> | null = null;

/** @throws ExtractionError encrypted_file or corrupt_file */
export async function openPdf(bytes: Uint8Array, filename: string): Promise<PdfDocument> {
  library ??= PDFiumLibrary.init();
  const pdfium = await library;
  const document = await load(pdfium, bytes, filename);
  // The library declares the module as private, but reading the properties needs it.
  const { module } = pdfium as unknown as { module: PdfiumModule };
  const { documentIdx } = document as unknown as { documentIdx: number };
  const pageCount = document.getPageCount();
  if (pageCount === 0) {
    document.destroy();
    throw corruptFile('pdf', filename, new Error('no pages'));
  }
  return {
    pageCount,
    properties: readProperties((tag) => metaText(module, documentIdx, tag)),
    pageText: (page) => cleanText(document.getPage(page - 1).getText()),
    close: () => document.destroy(),
  };
}

async function load(pdfium: PDFiumLibrary, bytes: Uint8Array, filename: string): Promise<PDFiumDocument> {
  try {
    return await pdfium.loadDocument(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (/password|security/i.test(reason)) {
      throw encryptedFile(filename, error);
    }
    throw corruptFile('pdf', filename, error);
  }
}

function readProperties(read: (tag: string) => string | null): PdfProperties {
  const details: Record<string, string> = {};
  for (const [name, tag] of Object.entries(detailTags)) {
    const text = read(tag);
    if (text !== null) details[name] = name === 'created' || name === 'modified' ? isoDate(text) : text;
  }
  return { title: read('Title'), author: read('Author'), details };
}

/** An entry of the information dictionary (ISO 32000-1, 14.3.3). pdfium returns UTF-16LE with a final zero. */
function metaText(module: PdfiumModule, document: number, tag: string): string | null {
  const { malloc, free } = module.wasmExports;
  const name = malloc(tag.length + 1);
  const buffer = malloc(metaBytesMax);
  try {
    module.HEAPU8.set(Buffer.from(`${tag}\0`, 'latin1'), name);
    const bytes = module._FPDF_GetMetaText(document, name, buffer, metaBytesMax);
    if (bytes <= 2 || bytes > metaBytesMax) return null;
    const text = cleanText(Buffer.from(module.HEAPU8.slice(buffer, buffer + bytes - 2)).toString('utf16le'));
    const joined = text.replace(/\s+/g, ' ').trim();
    return joined === '' ? null : joined;
  } finally {
    free(buffer);
    free(name);
  }
}

/** `D:20250124113949+01'00'` → `2025-01-24T11:39:49+01:00`. Other forms are returned unchanged. */
export function isoDate(date: string): string {
  const match = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?\d{2}'?)?/.exec(date);
  if (match === null) return date;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const offset = zone.startsWith('Z') ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(/'/g, '').slice(3, 5)}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}
