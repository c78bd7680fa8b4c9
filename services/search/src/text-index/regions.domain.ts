// Where text stands on the pages of its file. A chunk has seven numbers for each of its lines: the page; where the line begins and ends in UTF-16
// units, counted from the start of the chunk; x, y, width and height of its region in ten thousandths of the page.
import { REGIONS_MAX, type Region } from '@kiln/contracts';

const NUMBERS = 7;
const UNITS = 10_000;
/** Rectangles are joined if the one around them has at most this multiple of their area. Lines are up to half their height apart. */
const CHUNK_AREA_MAX = 1.5;
const QUOTE_AREA_MAX = 1.3;
/** A part of a line is cut where its share of the characters ends, with room for letters that are wider than others. */
const ROOM_CHARACTERS = 1.5;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;

interface Box {
  page: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A line of text on a page. Offsets are those in the text of the file. */
export interface PageLine extends Box {
  start: number;
  end: number;
  isRightToLeft: boolean;
}

interface ChunkWithLines {
  text: string;
  start: number;
  lines: readonly number[];
}

/** The lines of consecutive chunks, each once. */
export function pageLinesOf(chunks: readonly ChunkWithLines[]): PageLine[] {
  const lines = new Map<string, PageLine>();
  for (const { text, start: offset, lines: numbers } of chunks) {
    const isRightToLeft = numbers.length > 0 && RIGHT_TO_LEFT.test(text);
    for (let at = 0; at + NUMBERS <= numbers.length; at += NUMBERS) {
      const [page = 0, start = 0, end = 0, x = 0, y = 0, width = 0, height = 0] = numbers.slice(at, at + NUMBERS);
      const box = { page, left: x, top: y, right: x + width, bottom: y + height };
      lines.set(`${offset + start} ${x} ${y}`, { ...box, start: offset + start, end: offset + end, isRightToLeft });
    }
  }
  return [...lines.values()];
}

/** The regions of a chunk: those of its paragraphs and columns. */
export const regionsOfChunk = (chunk: ChunkWithLines & { end: number }): Region[] =>
  chunk.lines.length === 0 ? [] : regionsOf(pageLinesOf([chunk]), chunk, CHUNK_AREA_MAX);

/** The regions of an excerpt, as of a chunk. */
export const regionsOfExcerpt = (lines: readonly PageLine[], range: Range): Region[] =>
  regionsOf(lines, range, CHUNK_AREA_MAX);

/** The regions of a sentence: its lines, which are joined only where they end alike. */
export const regionsOfQuote = (lines: readonly PageLine[], range: Range): Region[] =>
  regionsOf(lines, range, QUOTE_AREA_MAX);

interface Range {
  start: number;
  end: number;
}

function regionsOf(lines: readonly PageLine[], range: Range, areaMax: number): Region[] {
  const boxes = lines
    .filter(({ start, end }) => start < range.end && end > range.start)
    .map((line) => cut(line, range));
  const joined = join(boxes, areaMax);
  const few = joined.length > REGIONS_MAX ? join(boxes, Infinity) : joined;
  return few.slice(0, REGIONS_MAX).map(regionOf);
}

/** The part of a line in a range of the text. */
function cut({ start, end, isRightToLeft, ...box }: PageLine, range: Range): Box {
  if (isRightToLeft || (start >= range.start && end <= range.end)) return box;
  const { left, right } = box;
  const perCharacter = (right - left) / (end - start);
  return {
    ...box,
    left: Math.max(left, left + (range.start - start - ROOM_CHARACTERS) * perCharacter),
    right: Math.min(right, left + (range.end - start + ROOM_CHARACTERS) * perCharacter),
  };
}

function join(boxes: readonly Box[], areaMax: number): Box[] {
  const joined: (Box & { area: number })[] = [];
  for (const box of boxes) {
    const last = joined.at(-1);
    const area = areaOf(box);
    const around = last?.page === box.page ? boxAround(last, box) : null;
    if (last && around && areaOf(around) <= areaMax * (last.area + area)) {
      Object.assign(last, around, { area: last.area + area });
    } else joined.push({ ...box, area });
  }
  return joined;
}

const areaOf = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);

const boxAround = (one: Box, other: Box): Box => ({
  page: one.page,
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

const shareOf = (units: number) => Math.round(units) / UNITS;

const regionOf = ({ page, left, top, right, bottom }: Box): Region => ({
  page,
  x: shareOf(left),
  y: shareOf(top),
  width: shareOf(Math.round(right) - Math.round(left)),
  height: shareOf(Math.round(bottom) - Math.round(top)),
});
