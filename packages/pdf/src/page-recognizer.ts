import type { PageContent } from './page-model.js';
import type { ReadPage } from './pdfium/read-page.js';

/** Reads the pages of one document that are pictures of text. */
export interface PageRecognizer {
  /** The recognized page, or the given page if recognition finds no more. Pages count from 1. */
  read(number: number, page: ReadPage): Promise<PageContent>;
  /** The details that recognition adds to the document. */
  details(): Record<string, number>;
}
