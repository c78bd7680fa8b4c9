/**
 * The functions of pdfium's C API that the library does not expose (https://pdfium.googlesource.com/pdfium/+/main/public).
 * Pointers are numbers. Lengths are bytes. They are the functions of the WebAssembly module itself: those of its wrapper check
 * their arguments, and a page calls them ten thousand times.
 */
export interface RawPdfium {
  FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, memory: number, stride: number): number;
  FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): number;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    quarters: number,
    flags: number,
  ): void;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDFPage_Flatten(page: number, usage: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  FPDF_GetPageBoundingBox(page: number, rectangle: number): number;
  /** Clockwise, in steps of 90 degrees. */
  FPDFPage_GetRotation(page: number): number;
  FPDFDoc_GetAttachmentCount(document: number): number;
  FPDF_GetFileVersion(document: number, version: number): number;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(text: number): void;
  FPDFText_CountChars(text: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetFontInfo(text: number, index: number, buffer: number, bytes: number, flags: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFTextObj_GetFont(object: number): number;
  FPDFTextObj_GetTextRenderMode(object: number): number;
  FPDFPageObj_GetMarkedContentID(object: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number;
  FPDFPageObj_GetStrokeWidth(object: number, width: number): number;
  FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number;
  FPDFPath_CountSegments(path: number): number;
  FPDFPath_GetPathSegment(path: number, index: number): number;
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  FPDFPathSegment_GetType(segment: number): number;
  FPDFPathSegment_GetClose(segment: number): number;
  FPDFLink_Enumerate(page: number, position: number, link: number): number;
  FPDFLink_GetAnnotRect(link: number, rectangle: number): number;
  FPDFLink_CountQuadPoints(link: number): number;
  FPDFLink_GetQuadPoints(link: number, index: number, points: number): number;
  FPDFLink_GetAction(link: number): number;
  FPDFAction_GetType(action: number): number;
  FPDFAction_GetURIPath(document: number, action: number, buffer: number, bytes: number): number;
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  FPDFBookmark_GetDest(document: number, bookmark: number): number;
  FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  FPDFCatalog_IsTagged(document: number): number;
  FPDF_StructTree_GetForPage(page: number): number;
  FPDF_StructTree_Close(tree: number): void;
  FPDF_StructTree_CountChildren(tree: number): number;
  FPDF_StructTree_GetChildAtIndex(tree: number, index: number): number;
  FPDF_StructElement_GetType(element: number, buffer: number, bytes: number): number;
  FPDF_StructElement_CountChildren(element: number): number;
  FPDF_StructElement_GetChildAtIndex(element: number, index: number): number;
  FPDF_StructElement_GetChildMarkedContentID(element: number, index: number): number;
  FPDF_StructElement_GetAttributeCount(element: number): number;
  FPDF_StructElement_GetAttributeAtIndex(element: number, index: number): number;
  FPDF_StructElement_Attr_GetValue(attribute: number, name: number): number;
  FPDF_StructElement_Attr_GetNumberValue(value: number, result: number): number;
  malloc(bytes: number): number;
  free(pointer: number): void;
  memory: { readonly buffer: ArrayBuffer };
}

const bytesOfBuffer = 4096;

/**
 * Memory of the module for the results of its functions. The module moves its memory when it grows, and views of the former memory then have no
 * elements. Asking the module for its memory takes longer than a glyph.
 */
export class ResultBuffer {
  readonly pointer: number;
  readonly bytes = bytesOfBuffer;
  private floats = new Float32Array();
  private doubles = new Float64Array();
  private integers = new Int32Array();

  constructor(private readonly pdfium: RawPdfium) {
    this.pointer = pdfium.malloc(bytesOfBuffer);
    this.follow();
  }

  float(index: number): number {
    this.follow();
    return this.floats[index] ?? 0;
  }

  double(index: number): number {
    this.follow();
    return this.doubles[index] ?? 0;
  }

  integer(index: number): number {
    this.follow();
    return this.integers[index] ?? 0;
  }

  setInteger(index: number, value: number): void {
    this.follow();
    this.integers[index] = value;
  }

  /** Writes an ASCII string with a final zero, and returns its address. */
  ascii(text: string): number {
    new Uint8Array(this.pdfium.memory.buffer).set(Buffer.from(`${text}\0`, 'latin1'), this.pointer);
    return this.pointer;
  }

  /**
   * Reads a string with a final zero. pdfium returns the number of bytes that it needs, even if the buffer is too small
   * and it writes nothing.
   */
  text(bytes: number, encoding: 'utf16le' | 'utf8', from = 0): string {
    const zeros = encoding === 'utf16le' ? 2 : 1;
    if (bytes <= zeros || from + bytes > this.bytes) return '';
    return Buffer.from(this.pdfium.memory.buffer, this.pointer + from, bytes - zeros).toString(encoding);
  }

  free(): void {
    this.pdfium.free(this.pointer);
  }

  private follow(): void {
    if (this.floats.length > 0) return;
    const { buffer } = this.pdfium.memory;
    this.floats = new Float32Array(buffer, this.pointer, bytesOfBuffer / 4);
    this.doubles = new Float64Array(buffer, this.pointer, bytesOfBuffer / 8);
    this.integers = new Int32Array(buffer, this.pointer, bytesOfBuffer / 4);
  }
}
