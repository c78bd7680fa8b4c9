/**
 * The texts of form fields and of notes that were typed onto a page. They are annotations, which pdfium does not read as
 * text of the page, although every program shows them.
 */
import { type PageGlyphs, readGlyphs } from './read-glyphs.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

const [freeText, widget] = [3, 20];
const annotationsMax = 5_000;
const forDisplay = 0;
const flattened = 1;

export function hasTypedText(pdfium: RawPdfium, page: number): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  if (count > annotationsMax) return false;
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (subtype === freeText || subtype === widget) return true;
  }
  return false;
}

/**
 * The glyphs of a page and of its annotations, which become content of the page: it has no annotations afterwards. Null if
 * it has none that are shown. Pages count from 1.
 */
export function glyphsWithTypedText(
  pdfium: RawPdfium,
  { document, page, number }: { document: number; page: number; number: number },
  buffer: ResultBuffer,
): PageGlyphs | null {
  if (pdfium.FPDFPage_Flatten(page, forDisplay) !== flattened) return null;
  const changed = pdfium.FPDF_LoadPage(document, number - 1);
  if (changed === 0) return null;
  try {
    return readGlyphs(pdfium, changed, buffer);
  } finally {
    pdfium.FPDF_ClosePage(changed);
  }
}
