/**
 * Cuts a markdown text at its headings first. A heading without text of its own stays with the next section. Sections
 * that are too long are cut like any text, and tables between their rows.
 */
import { cutWindows } from './cut-windows.js';
import { MarkdownLines } from './markdown-lines.js';
import type { Piece } from './piece.js';
import { findBoundary } from './recursive-pieces.js';
import { tablePieces } from './table-pieces.js';

interface Block {
  start: number;
  end: number;
  /** The position of the first row below the header. Null when the block is not a table. */
  rowsStart: number | null;
}

export function* markdownPieces(text: string, size: number, overlap: number): Generator<Piece> {
  for (const section of sections(text)) {
    const [first] = section;
    const last = section.at(-1);
    if (first === undefined || last === undefined) continue;
    if (last.end - first.start <= size) {
      yield* cutWindows(text, first.start, last.end, size, 0, findBoundary);
      continue;
    }
    for (const block of section) yield* piecesOfBlock(text, block, size, overlap);
  }
}

function* piecesOfBlock(
  text: string,
  { start, end, rowsStart }: Block,
  size: number,
  overlap: number,
): Generator<Piece> {
  if (rowsStart === null) yield* cutWindows(text, start, end, size, overlap, findBoundary);
  else yield* tablePieces(text, { start, end, rowsStart }, size);
}

/** Yields each section as a list of blocks. All blocks together are the whole text. */
function* sections(text: string): Generator<Block[]> {
  let blocks: Block[] = [];
  let hasBody = false;
  for (const lines = new MarkdownLines(text); lines.current !== null; lines.advance()) {
    const line = lines.current;
    if (line.heading !== null && hasBody) {
      yield blocks;
      blocks = [];
      hasBody = false;
    }
    if (line.heading === null && !line.isBlank) hasBody = true;
    appendLine(text, blocks, line.start, line.end, line.isTableRow);
  }
  if (blocks.length > 0) yield blocks;
}

/** Only so many characters of a line are examined for the rule below a table's header. */
const ruleCharacters = 4000;

function isTableRule(line: string): boolean {
  return line.includes('-') && /^[\s:|-]*$/.test(line);
}

function appendLine(text: string, blocks: Block[], start: number, end: number, isTableRow: boolean): void {
  const last = blocks.at(-1);
  if (last !== undefined && (last.rowsStart !== null) === isTableRow) {
    // A rule (`| --- |`) in the second line ends the header. Otherwise the first line is the header.
    if (last.rowsStart === last.start && isTableRule(text.slice(start, Math.min(end, start + ruleCharacters))))
      last.rowsStart = end;
    else if (last.rowsStart === last.start) last.rowsStart = last.end;
    last.end = end;
  } else {
    blocks.push({ start, end, rowsStart: isTableRow ? start : null });
  }
}
