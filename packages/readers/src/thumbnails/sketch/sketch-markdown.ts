/** Draws the beginning of a markdown text as a page: headings, paragraphs, lists and tables, with the words of the document, not its design. */
import { plainInline } from '../../metadata/first-heading.js';
import { widthOf } from './helvetica.js';
import { SketchPage, type TextStyle } from './sketch-page.js';

/** Points. */
export const pageSizes = {
  slide: { width: 640, height: 360, scale: 1.9 },
  sheet: { width: 640, height: 480, scale: 1 },
  page: { width: 480, height: 679, scale: 1 },
} as const;

/** More does not fit on a page. */
const linesRead = 200;
const lineCharactersMax = 2000;
const columnsMax = 8;
const margin = 28;
const textSize = 11;
const headingSizes = [19, 16, 14, 12.5, 11.5, 11];
const cellPadding = 4;

/** Returns a PDF. */
export function sketchMarkdown(markdown: string, kind: keyof typeof pageSizes): Buffer {
  const { width, height, scale } = pageSizes[kind];
  const sketch = new Sketch(new SketchPage(width, height), scale);
  const lines = markdown.slice(0, linesRead * lineCharactersMax).split('\n', linesRead);
  for (let at = 0; at < lines.length && !sketch.isFull;) {
    const rows = tableAt(lines, at);
    if (rows > 0) sketch.table(lines.slice(at, at + rows).map(cellsOf));
    else sketch.line((lines[at] ?? '').slice(0, lineCharactersMax));
    at += Math.max(1, rows);
  }
  return sketch.page.pdf();
}

class Sketch {
  private top = margin;

  constructor(
    readonly page: SketchPage,
    private readonly scale: number,
  ) {}

  get isFull(): boolean {
    return this.top >= this.page.height - margin;
  }

  line(line: string): void {
    const heading = /^(#{1,6})[ \t]+(.*)$/.exec(line);
    const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/.exec(line);
    if (heading !== null) {
      const size = headingSizes[(heading[1] ?? '').length - 1] ?? textSize;
      this.paragraph(plainInline(heading[2] ?? ''), { size, isBold: true });
    } else if (item !== null) {
      const indent = margin / 2 + Math.min(6, (item[1] ?? '').length / 2) * 10;
      this.paragraph(`• ${plainInline(item[2] ?? '', lineCharactersMax)}`, { size: textSize }, indent);
    } else this.paragraph(plainInline(line, lineCharactersMax), { size: textSize });
  }

  /** The first row is the header. */
  table(rows: readonly string[][]): void {
    const { page } = this;
    const size = textSize * 0.9;
    const shown = rows.filter((_, at) => at !== 1);
    const columns = Math.min(columnsMax, Math.max(...shown.map((row) => row.length)));
    const width = (page.width - 2 * margin) / columns;
    const height = size + 2 * cellPadding;
    const firstTop = this.top;
    for (const [at, row] of shown.entries()) {
      if (this.isFull) break;
      if (at === 0) page.box(margin, this.top, width * columns, height, 0.93);
      page.line(margin, this.top, margin + width * columns, this.top);
      for (const [column, text] of row.slice(0, columns).entries()) {
        const style = { size, isBold: at === 0 };
        const fitting = fittingStart(plainInline(text), style, width - 2 * cellPadding);
        page.text(fitting, margin + column * width + cellPadding, this.top + cellPadding, style);
      }
      this.top += height;
    }
    page.line(margin, this.top, margin + width * columns, this.top);
    for (let column = 0; column <= columns; column++)
      page.line(margin + column * width, firstTop, margin + column * width, this.top);
    this.top += textSize;
  }

  private paragraph(text: string, style: TextStyle, indent = 0): void {
    const size = style.size * this.scale;
    if (text === '') {
      if (this.top > margin) this.top += size * 0.5;
      return;
    }
    const width = this.page.width - 2 * margin - indent;
    for (const line of wrapped(text, { ...style, size }, width)) {
      if (this.isFull) return;
      this.page.text(line, margin + indent, this.top, { ...style, size });
      this.top += size * 1.3;
    }
  }
}

/** How many lines from this one on are a table: a header, a line of dashes, rows. */
function tableAt(lines: readonly string[], at: number): number {
  if (!isRow(lines[at]) || !/^\|(?: *:?-+:? *\|)+ *$/.test((lines[at + 1] ?? '').slice(0, lineCharactersMax))) return 0;
  let end = at + 2;
  while (isRow(lines[end])) end++;
  return end - at;
}

const isRow = (line: string | undefined): boolean => line?.startsWith('|') === true;

function cellsOf(row: string): string[] {
  return row
    .slice(0, lineCharactersMax)
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/)
    .slice(0, -1)
    .map((cell) => cell.trim());
}

function* wrapped(text: string, style: TextStyle, width: number): Generator<string> {
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, style.size, style.isBold) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') yield line;
    // A word that is longer than a line, as where no spaces are written.
    let rest = word;
    while (widthOf(rest, style.size, style.isBold) > width) {
      const start = fittingStart(rest, style, width) || rest.slice(0, 1);
      yield start;
      rest = rest.slice(start.length);
    }
    line = rest;
  }
  if (line !== '') yield line;
}

/** As many characters as fit. */
function fittingStart(text: string, { size, isBold }: TextStyle, width: number): string {
  let start = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character, size, isBold);
    if (used > width) break;
    start += character;
  }
  return start;
}
