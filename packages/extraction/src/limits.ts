const mebibyte = 1024 * 1024;

/** Limits of a document. Beyond any of them, extraction fails with `file_too_large`, before memory runs out. */
export interface ExtractionLimits {
  /** The size of any source file. */
  inputBytesMax: number;
  /** Sources that are read whole into memory as text: plain text, markdown, html, csv, json, xml. */
  textBytesMax: number;
  /** The size of the resulting markdown, in UTF-8. */
  outputBytesMax: number;
  /** Everything inside an office file together, once inflated. */
  inflatedBytesMax: number;
  /** Inflated to compressed size of an office file; only counts above 16 MiB inflated, small files may be repetitive. */
  inflationRatioMax: number;
  /** Entries in an office file. */
  archiveEntriesMax: number;
  /** Pages of a PDF: the layout engine opens the file again for each batch of them. */
  pagesMax: number;
}

export const defaultLimits: ExtractionLimits = {
  inputBytesMax: 512 * mebibyte,
  textBytesMax: 64 * mebibyte,
  outputBytesMax: 64 * mebibyte,
  inflatedBytesMax: 256 * mebibyte,
  inflationRatioMax: 100,
  archiveEntriesMax: 10_000,
  pagesMax: 10_000,
};

/** `67108864` → `64 MiB`: for messages. */
export function formatBytes(bytes: number): string {
  if (bytes >= mebibyte) return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;
  if (bytes >= 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${bytes} bytes`;
}
