import type { Box } from '../page-model.js';
import type { Frame } from '../words/upright.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

export interface PageLink {
  address: string;
  boxes: Box[];
}

const linksMax = 5_000;
const quadsMax = 100;
const uriAction = 3;

/** The links of a page that lead to an address. */
export function readLinks(
  pdfium: RawPdfium,
  document: number,
  page: number,
  buffer: ResultBuffer,
  frame: Frame,
): PageLink[] {
  const links: PageLink[] = [];
  const { pointer } = buffer;
  let position = 0;
  for (let count = 0; count < linksMax; count++) {
    buffer.setInteger(0, position);
    if (pdfium.FPDFLink_Enumerate(page, pointer, pointer + 4) === 0) break;
    position = buffer.integer(0);
    const link = buffer.integer(1);
    const action = pdfium.FPDFLink_GetAction(link);
    if (action === 0 || pdfium.FPDFAction_GetType(action) !== uriAction) continue;
    const bytes = pdfium.FPDFAction_GetURIPath(document, action, pointer, buffer.bytes);
    const address = buffer.text(bytes, 'utf8');
    if (address !== '') links.push({ address, boxes: boxesOf(pdfium, link, buffer, frame) });
  }
  return links;
}

/** A link that wraps has a box for each line. */
function boxesOf(pdfium: RawPdfium, link: number, buffer: ResultBuffer, frame: Frame): Box[] {
  const quads = Math.min(pdfium.FPDFLink_CountQuadPoints(link), quadsMax);
  const boxes: Box[] = [];
  for (let index = 0; index < quads; index++)
    if (pdfium.FPDFLink_GetQuadPoints(link, index, buffer.pointer) !== 0)
      boxes.push(frame.box(boxAround(buffer, [0, 2, 4, 6], [1, 3, 5, 7])));
  if (boxes.length === 0 && pdfium.FPDFLink_GetAnnotRect(link, buffer.pointer) !== 0)
    boxes.push(frame.box(boxAround(buffer, [0, 2], [1, 3])));
  return boxes;
}

/** `xs` and `ys` are places of numbers in the buffer. A rectangle has any two opposite corners (ISO 32000-1, 7.9.5). */
function boxAround(buffer: ResultBuffer, xs: readonly number[], ys: readonly number[]): Box {
  const [x, y] = [xs.map((place) => buffer.float(place)), ys.map((place) => buffer.float(place))];
  return { left: Math.min(...x), right: Math.max(...x), top: Math.max(...y), bottom: Math.min(...y) };
}
