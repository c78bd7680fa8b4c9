import { shippedLanguages } from './ocr-languages.js';

export interface OcrSettings {
  /** The languages that a document may have. It is read in the first of them, until its text shows a different language. */
  languages: readonly [string, ...string[]];
  /** The directory with the data of those that are not shipped. */
  dataDirectory?: string | undefined;
  /** Called after each page whose text was recognized. */
  onPage?: () => void;
}

export interface OcrLimits {
  /** The pages of a document whose text is recognized in their pictures. */
  ocrPagesMax: number;
  /** The time that recognition may take for a document. */
  ocrMillisecondsMax: number;
}

export const defaultOcrLimits: OcrLimits = { ocrPagesMax: 200, ocrMillisecondsMax: 900_000 };
export const defaultOcr: OcrSettings = { languages: shippedLanguages };
