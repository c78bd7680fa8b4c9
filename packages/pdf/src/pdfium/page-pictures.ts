/** Decides whether a page is a picture of text: a page without text that shows something, or a large picture with little text. */
import type { PageLetters } from '../words/readable-letters.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

const [imageObject, formObject] = [3, 5];
/**
 * The most letters that running heads, page numbers and stamps on a scanned page have. Text on a picture, as on slides,
 * has more, or stands inside.
 */
const [lettersMax, lettersInsideMax] = [200, 20];
/** The pictures of a scanned page cover at least this share. */
const coverMin = 0.5;
const objectsMax = 1_000;
const formLevelsMax = 4;

export function isPictureOfText(pdfium: RawPdfium, page: number, buffer: ResultBuffer, letters: PageLetters): boolean {
  if (letters.all > lettersMax || letters.inside > lettersInsideMax) return false;
  const count = pdfium.FPDFPage_CountObjects(page);
  if (letters.all === 0) return count > 0 || pdfium.FPDFPage_GetAnnotCount(page) > 0;
  const area = pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page);
  let cover = 0;
  for (let index = 0; index < Math.min(count, objectsMax); index++) {
    const object = pdfium.FPDFPage_GetObject(page, index);
    if (hasPicture(pdfium, object, 0)) cover += areaOf(pdfium, object, buffer);
  }
  return cover >= area * coverMin;
}

function hasPicture(pdfium: RawPdfium, object: number, level: number): boolean {
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type !== formObject || level >= formLevelsMax) return type === imageObject;
  const count = Math.min(pdfium.FPDFFormObj_CountObjects(object), objectsMax);
  for (let index = 0; index < count; index++)
    if (hasPicture(pdfium, pdfium.FPDFFormObj_GetObject(object, index), level + 1)) return true;
  return false;
}

function areaOf(pdfium: RawPdfium, object: number, buffer: ResultBuffer): number {
  const { pointer } = buffer;
  if (pdfium.FPDFPageObj_GetBounds(object, pointer, pointer + 4, pointer + 8, pointer + 12) === 0) return 0;
  return Math.max(0, buffer.float(2) - buffer.float(0)) * Math.max(0, buffer.float(3) - buffer.float(1));
}
