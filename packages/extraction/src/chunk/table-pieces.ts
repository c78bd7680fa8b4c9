import { cutWindows } from './cut-windows.js';
import { type Piece, skipSpace, trimEnd } from './piece.js';
import { findBoundary } from './recursive-pieces.js';

export interface Table {
  start: number;
  end: number;
  /** Where the rows below the header begin. */
  rowsStart: number;
}

/**
 * As many whole rows as fit, the header being one of them; only what alone is too long is cut like any text. A piece that goes
 * on with the rows carries the header as its prefix, unless that is longer than a chunk: it would hide the rows it explains.
 */
export function* tablePieces(text: string, table: Table, size: number): Generator<Piece> {
  const header = text.slice(table.start, table.rowsStart).trim();
  const prefix = header !== '' && header.length <= size ? header : undefined;
  for (const piece of packedRows(text, table, size))
    yield prefix === undefined || piece.start < table.rowsStart ? piece : { ...piece, prefix };
}

function* packedRows(text: string, table: Table, size: number): Generator<Piece> {
  let start = -1;
  let end = -1;
  for (const row of rowsOf(text, table)) {
    if (start !== -1 && row.end - start > size) {
      yield { start, end };
      start = -1;
    }
    if (row.end - row.start > size) {
      yield* cutWindows(text, row.start, row.end, size, 0, findBoundary);
      continue;
    }
    if (start === -1) start = row.start;
    end = row.end;
  }
  if (start !== -1) yield { start, end };
}

/** The header, then each row; without the white space around them. */
function* rowsOf(text: string, { start, end, rowsStart }: Table): Generator<Piece> {
  let at = start;
  while (at < end) {
    const lineEnd = text.indexOf('\n', at);
    const next = at < rowsStart ? rowsStart : lineEnd === -1 ? end : Math.min(end, lineEnd + 1);
    const own = skipSpace(text, at, next);
    if (own < next) yield { start: own, end: trimEnd(text, own, next) };
    at = next;
  }
}
