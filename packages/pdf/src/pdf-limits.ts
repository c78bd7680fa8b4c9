export interface PdfLimits {
  /** The size of the markdown, in UTF-8. */
  outputBytesMax: number;
  /** The pages of a PDF. */
  pagesMax: number;
}

export const defaultPdfLimits: PdfLimits = { outputBytesMax: 64 * 1024 * 1024, pagesMax: 10_000 };
