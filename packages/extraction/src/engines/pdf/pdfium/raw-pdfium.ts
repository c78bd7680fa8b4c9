/**
 * The functions of pdfium's C API that the library does not expose (https://pdfium.googlesource.com/pdfium/+/main/public).
 * Pointers are numbers. Lengths are bytes.
 */
export interface RawPdfium {
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageBoundingBox(page: number, rectangle: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetFontInfo(text: number, index: number, buffer: number, bytes: number, flags: number): number;
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFPageObj_GetMarkedContentID(object: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  _FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number;
  _FPDFPageObj_GetStrokeWidth(object: number, width: number): number;
  _FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number;
  _FPDFPath_CountSegments(path: number): number;
  _FPDFPath_GetPathSegment(path: number, index: number): number;
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  _FPDFPathSegment_GetType(segment: number): number;
  _FPDFPathSegment_GetClose(segment: number): number;
  _FPDFLink_Enumerate(page: number, position: number, link: number): number;
  _FPDFLink_GetAnnotRect(link: number, rectangle: number): number;
  _FPDFLink_CountQuadPoints(link: number): number;
  _FPDFLink_GetQuadPoints(link: number, index: number, points: number): number;
  _FPDFLink_GetAction(link: number): number;
  _FPDFAction_GetType(action: number): number;
  _FPDFAction_GetURIPath(document: number, action: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  _FPDFCatalog_IsTagged(document: number): number;
  _FPDF_StructTree_GetForPage(page: number): number;
  _FPDF_StructTree_Close(tree: number): void;
  _FPDF_StructTree_CountChildren(tree: number): number;
  _FPDF_StructTree_GetChildAtIndex(tree: number, index: number): number;
  _FPDF_StructElement_GetType(element: number, buffer: number, bytes: number): number;
  _FPDF_StructElement_CountChildren(element: number): number;
  _FPDF_StructElement_GetChildAtIndex(element: number, index: number): number;
  _FPDF_StructElement_GetChildMarkedContentID(element: number, index: number): number;
  _FPDF_StructElement_GetAttributeCount(element: number): number;
  _FPDF_StructElement_GetAttributeAtIndex(element: number, index: number): number;
  _FPDF_StructElement_Attr_GetValue(attribute: number, name: number): number;
  _FPDF_StructElement_Attr_GetNumberValue(value: number, result: number): number;
  wasmExports: { malloc: (bytes: number) => number; free: (pointer: number) => void };
  HEAPU8: Uint8Array;
}

const bytesOfBuffer = 4096;

/** Memory of the module for the results of its functions. The module moves its memory when it grows. */
export class ResultBuffer {
  readonly pointer: number;
  readonly bytes = bytesOfBuffer;
  private view: DataView;

  constructor(private readonly pdfium: RawPdfium) {
    this.pointer = pdfium.wasmExports.malloc(bytesOfBuffer);
    this.view = new DataView(pdfium.HEAPU8.buffer);
  }

  float(index: number): number {
    return this.current().getFloat32(this.pointer + index * 4, true);
  }

  double(index: number): number {
    return this.current().getFloat64(this.pointer + index * 8, true);
  }

  integer(index: number): number {
    return this.current().getInt32(this.pointer + index * 4, true);
  }

  setInteger(index: number, value: number): void {
    this.current().setInt32(this.pointer + index * 4, value, true);
  }

  /** Writes an ASCII string with a final zero, and returns its address. */
  ascii(text: string): number {
    this.pdfium.HEAPU8.set(Buffer.from(`${text}\0`, 'latin1'), this.pointer);
    return this.pointer;
  }

  /** A string with a final zero. pdfium returns how many bytes it needs, also if it wrote none because they are too many. */
  text(bytes: number, encoding: 'utf16le' | 'utf8', from = 0): string {
    const zeros = encoding === 'utf16le' ? 2 : 1;
    if (bytes <= zeros || from + bytes > this.bytes) return '';
    const start = this.pointer + from;
    return Buffer.from(this.pdfium.HEAPU8.slice(start, start + bytes - zeros)).toString(encoding);
  }

  free(): void {
    this.pdfium.wasmExports.free(this.pointer);
  }

  private current(): DataView {
    if (this.view.buffer !== this.pdfium.HEAPU8.buffer) this.view = new DataView(this.pdfium.HEAPU8.buffer);
    return this.view;
  }
}
