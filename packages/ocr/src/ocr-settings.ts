import { shippedLanguages } from './ocr-languages.js';

export interface OcrSettings {
  /** The possible languages of a document. It is read in the first one, until its text shows that it has a different one. */
  languages: readonly [string, ...string[]];
  /** The directory with the data of languages that are not shipped. */
  dataDirectory?: string | undefined;
  /** Called after each page whose text was recognized. */
  onPage?: () => void;
}

export interface OcrLimits {
  /** The number of pages of a document whose pictures are recognized. */
  ocrPagesMax: number;
  /** The time for the recognition of a document. */
  ocrMillisecondsMax: number;
}

export const defaultOcrLimits: OcrLimits = { ocrPagesMax: 200, ocrMillisecondsMax: 900_000 };
export const defaultOcr: OcrSettings = { languages: shippedLanguages };
