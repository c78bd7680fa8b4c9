/**
 * Finds headings that the layout engine left in the running text: numbered lines in a bold face close to the next line, and,
 * if it found no heading in the document, lines in a larger face.
 */
import type { ParsedPage } from '@llamaindex/liteparse';
import { type TextLine, linesOf } from './text-lines.js';

export interface FoundHeading {
  level: number;
  text: string;
}

const headingCharactersMax = 150;
/** A heading that differs only in size is larger than the running text by this factor. */
const largerFaceMin = 1.15;
const sizeLevelsMax = 3;
const boldFace = /bold|black|heavy|semib|demi|BX\d|CMBX/i;
const numbered = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=\p{L}|\d+\p{L})/u;

/** Returns the headings of each page, by page number, in reading order. */
export function findHeadings(pages: readonly ParsedPage[]): Map<number, FoundHeading[]> {
  const lines = pages.map((page) => linesOf(page.textItems));
  const body = bodyFace(lines.flat());
  const found = new Map<number, FoundHeading[]>();
  if (body === null) return found;
  const bySize = pages.some((page) => /^#{1,6} /m.test(page.markdown)) ? [] : largerSizes(lines.flat(), body.height);
  for (const [index, page] of pages.entries()) {
    const headings = joinWrapped(lines[index] ?? [], (line) => levelOf(line, body, bySize));
    if (headings.length > 0) found.set(page.pageNum, headings);
  }
  return found;
}

interface Face {
  name: string;
  height: number;
}

/** The face of most characters. */
function bodyFace(lines: readonly TextLine[]): Face | null {
  const characters = new Map<string, { face: Face; count: number }>();
  for (const { face, height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    const entry = characters.get(`${face} ${rounded}`) ?? { face: { name: face, height: rounded }, count: 0 };
    entry.count += text.length;
    characters.set(`${face} ${rounded}`, entry);
  }
  let most: { face: Face; count: number } | null = null;
  for (const entry of characters.values()) if (most === null || entry.count > most.count) most = entry;
  return most?.face ?? null;
}

/** The sizes above the running text, largest first. The position of a size is the level of its headings. */
function largerSizes(lines: readonly TextLine[], bodyHeight: number): number[] {
  const sizes = new Set(
    lines
      .filter(({ height, text }) => height >= bodyHeight * largerFaceMin && isTitleLike(text))
      .map(({ height }) => Math.round(height)),
  );
  return [...sizes].sort((left, right) => right - left).slice(0, sizeLevelsMax);
}

function isTitleLike(text: string): boolean {
  return text.length <= headingCharactersMax && /\p{L}{2}/u.test(text) && !/[.,;:]$/.test(text);
}

function levelOf(line: TextLine, body: Face, sizes: readonly number[]): number | null {
  if (!line.isUniform || !isTitleLike(line.text)) return null;
  const number = numbered.exec(line.text)?.[1];
  if (number !== undefined && line.face !== body.name && boldFace.test(line.face) && line.height >= body.height * 0.95)
    return Math.min(6, number.split('.').length + 1);
  const rank = line.height >= body.height * largerFaceMin ? sizes.indexOf(Math.round(line.height)) : -1;
  return rank === -1 ? null : rank + 1;
}

/** Joins the lines of a heading that wraps. They have the same face and are close together. */
function joinWrapped(lines: readonly TextLine[], level: (line: TextLine) => number | null): FoundHeading[] {
  const headings: FoundHeading[] = [];
  let before: TextLine | null = null;
  for (const line of lines) {
    const last = headings.at(-1);
    const continues =
      before !== null &&
      line.face === before.face &&
      Math.abs(line.height - before.height) < 0.5 &&
      line.y - before.y > 0 &&
      line.y - before.y < line.height * 1.6 &&
      !numbered.test(line.text);
    const own = level(line);
    if (before !== null && last !== undefined && continues && line.isUniform) {
      last.text += ` ${line.text}`;
      before = line;
    } else if (own === null) before = null;
    else {
      headings.push({ level: own, text: line.text });
      before = line;
    }
  }
  return headings.filter(({ text }) => text.length <= headingCharactersMax);
}
