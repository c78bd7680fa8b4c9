import { readFile } from 'node:fs/promises';
import { recognizerOf } from '@kiln/ocr/recognize-pages';
import type { PdfDocument } from '@kiln/pdf/pdfium-document';
import { readPdf } from '@kiln/pdf/read-pdf';
import type { Engine } from './engine.js';

export const extractPdf: Engine = async (input, signal) => {
  const { filename, limits } = input;
  const recognizer = (document: PdfDocument) => recognizerOf(document, input);
  return { ...(await readPdf(await readFile(input.path), { filename, limits, recognizer }, signal)), language: null };
};
