import { defaultOcrLimits, type OcrLimits } from '@kiln/ocr/ocr-settings';
import { defaultPdfLimits, type PdfLimits } from '@kiln/pdf/pdf-limits';

const mebibyte = 1024 * 1024;

/** Limits of a document. Beyond any of them, extraction fails with `file_too_large`, before memory runs out. */
export interface ExtractionLimits extends PdfLimits, OcrLimits {
  /** The size of a source file. */
  inputBytesMax: number;
  /** The size of a source that is read into memory as text: plain text, markdown, html, csv, json, xml. */
  textBytesMax: number;
  /** The inflated size of all entries of an office file. */
  inflatedBytesMax: number;
  /** The compression ratio of an office file. Checked only if it inflates to more than 16 MiB. */
  inflationRatioMax: number;
  archiveEntriesMax: number;
}

export const defaultLimits: ExtractionLimits = {
  ...defaultPdfLimits,
  ...defaultOcrLimits,
  inputBytesMax: 512 * mebibyte,
  textBytesMax: 64 * mebibyte,
  inflatedBytesMax: 256 * mebibyte,
  inflationRatioMax: 100,
  archiveEntriesMax: 10_000,
};
