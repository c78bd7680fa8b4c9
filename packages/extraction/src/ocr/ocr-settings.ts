import { shippedLanguages } from './ocr-languages.js';

export interface OcrSettings {
  /** The languages that a document may have. It is read in the first of them, until its text shows another one. */
  languages: readonly [string, ...string[]];
  /** The directory with the data of those that are not shipped. */
  dataDirectory?: string | undefined;
  /** Called after each page whose text was recognized. */
  onPage?: () => void;
}

export const defaultOcr: OcrSettings = { languages: shippedLanguages };
