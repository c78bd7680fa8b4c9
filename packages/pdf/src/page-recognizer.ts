import type { PageContent } from './page-model.js';
import type { ReadPage } from './pdfium/read-page.js';

/** Reads the pages of one document that are pictures of text. */
export interface PageRecognizer {
  /** What the picture of a page shows, or the page itself if no more can be read in it. Pages count from 1. */
  read(number: number, page: ReadPage): Promise<PageContent>;
  /** What it adds to the details of the document. */
  details(): Record<string, number>;
}
