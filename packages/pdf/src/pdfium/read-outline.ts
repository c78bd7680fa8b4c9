import { type RawPdfium, ResultBuffer } from './raw-pdfium.js';

/** An entry of the outline, which readers of PDF show as bookmarks. */
export interface OutlineEntry {
  title: string;
  /** Entries at the top have level 1. */
  level: number;
  /** Pages count from 1. Null if the entry leads to no page. */
  page: number | null;
}

const entriesMax = 20_000;
const levelsMax = 12;

/** The outline of a document, in its order. An outline may contain itself, so its size is bounded. */
export function readOutline(pdfium: RawPdfium, document: number): OutlineEntry[] {
  const buffer = new ResultBuffer(pdfium);
  const entries: OutlineEntry[] = [];
  const walk = (parent: number, level: number): void => {
    let bookmark = pdfium.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && entries.length < entriesMax) {
      const bytes = pdfium.FPDFBookmark_GetTitle(bookmark, buffer.pointer, buffer.bytes);
      const title = buffer.text(bytes, 'utf16le');
      const destination = pdfium.FPDFBookmark_GetDest(document, bookmark);
      const index = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination);
      entries.push({ title, level, page: index < 0 ? null : index + 1 });
      if (level < levelsMax) walk(bookmark, level + 1);
      bookmark = pdfium.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  try {
    walk(0, 1);
    return entries;
  } finally {
    buffer.free();
  }
}
