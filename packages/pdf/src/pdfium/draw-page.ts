/** Draws a page as people see it: with its own rotation and annotations, on white. */
import type { RawPdfium } from './raw-pdfium.js';

/**
 * The pixel format, and the mode of drawing. Pages to recognize are drawn as on paper, pages to show as on a screen.
 */
const inks = {
  /** `FPDFBitmap_Gray`, with `FPDF_PRINTING`. */
  grey: { format: 1, bytesPerPixel: 1, flags: 0x800 },
  /** `FPDFBitmap_BGRx`, which `FPDF_REVERSE_BYTE_ORDER` makes red, green, blue, unused. */
  color: { format: 3, bytesPerPixel: 4, flags: 0x10 },
} as const;
const white = 0xffffffff;
/** Stamps and notes may be the only content of a page. */
const withAnnotations = 0x01;

export interface DrawnPage {
  width: number;
  height: number;
  /** Rows from top to bottom, without padding: one byte for each pixel of a grey page, four of a colored one. */
  pixels: Uint8Array;
}

/** The size of a page in its own rotation, in points. */
export function shownSize(pdfium: RawPdfium, page: number): { width: number; height: number } {
  return { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
}

/** `scale` is the number of pixels for each point. Null if the page cannot be drawn. */
export function drawPage(pdfium: RawPdfium, page: number, scale: number, ink: keyof typeof inks): DrawnPage | null {
  const size = shownSize(pdfium, page);
  if (!(size.width > 0 && size.height > 0 && scale > 0 && Number.isFinite(scale))) return null;
  // A page can be a line of one point.
  const [width, height] = [Math.max(1, Math.round(size.width * scale)), Math.max(1, Math.round(size.height * scale))];
  const { format, bytesPerPixel, flags } = inks[ink];
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) return null;
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations | flags);
    const [start, stride] = [pdfium.FPDFBitmap_GetBuffer(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)];
    const bytesPerRow = width * bytesPerPixel;
    const pixels = new Uint8Array(height * bytesPerRow);
    for (let y = 0; y < height; y++)
      pixels.set(new Uint8Array(pdfium.memory.buffer, start + y * stride, bytesPerRow), y * bytesPerRow);
    return { width, height, pixels };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
