const mebibyte = 1024 * 1024;

/** Limits of a document. Beyond any of them, extraction fails with `file_too_large`, before memory runs out. */
export interface ExtractionLimits {
  /** The size of a source file. */
  inputBytesMax: number;
  /** The size of a source that is read into memory as text: plain text, markdown, html, csv, json, xml. */
  textBytesMax: number;
  /** The size of the markdown, in UTF-8. */
  outputBytesMax: number;
  /** The inflated size of all entries of an office file. */
  inflatedBytesMax: number;
  /** The compression ratio of an office file. Checked only if it inflates to more than 16 MiB. */
  inflationRatioMax: number;
  /** The number of entries in an office file. */
  archiveEntriesMax: number;
  /** The pages of a PDF. */
  pagesMax: number;
  /** The pages of a document whose text is recognized in their pictures. */
  ocrPagesMax: number;
  /** The time that recognition may take for a document. */
  ocrMillisecondsMax: number;
}

export const defaultLimits: ExtractionLimits = {
  inputBytesMax: 512 * mebibyte,
  textBytesMax: 64 * mebibyte,
  outputBytesMax: 64 * mebibyte,
  inflatedBytesMax: 256 * mebibyte,
  inflationRatioMax: 100,
  archiveEntriesMax: 10_000,
  pagesMax: 10_000,
  ocrPagesMax: 200,
  ocrMillisecondsMax: 900_000,
};

/** `67108864` → `64 MiB` */
export function formatBytes(bytes: number): string {
  if (bytes >= mebibyte) return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
  if (bytes >= 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${bytes} bytes`;
}
