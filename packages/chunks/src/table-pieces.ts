import { cutWindows } from './cut-windows.js';
import { type Piece, skipSpace, trimEnd } from './piece.js';
import { findBoundary } from './recursive-pieces.js';

export interface Table {
  start: number;
  end: number;
  /** The position of the first row below the header. */
  rowsStart: number;
}

/**
 * As many whole rows as fit, the header included. A row that is longer than a chunk is cut like any text. Later pieces get the
 * header as their prefix, unless it is longer than a chunk.
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

/** Yields the header and then each row, trimmed. */
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
