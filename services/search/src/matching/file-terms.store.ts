// Which terms given files have, from the blocks and rows of the tail that one statement reads.
import { PostingCursor, type PostingList } from '../postings/domain/postings.js';
import { TailScanner } from '../postings/domain/tail-data.js';
import { BLOCK_ROW, FILE_ROW, TAIL_ROW, type AmongRow } from './match.statements.js';

/** The positions of the terms that each file has. `visit` is called once for each file. */
export function visitTerms(
  rows: readonly AmongRow[],
  terms: readonly string[],
  visit: (file: AmongRow, positions: ReadonlySet<number>) => void,
): void {
  const cursors = cursorsOf(rows, terms);
  const inTail = termsInTail(rows, terms);
  const files = rows.filter(({ kind }) => kind === FILE_ROW);
  // Cursors only move forward.
  for (const file of files.toSorted((left, right) => (left.first ?? 0) - (right.first ?? 0))) {
    const positions = new Set(inTail.get(file.file_id));
    const { first, last } = file;
    if (first !== null && last !== null)
      for (const [position, cursor] of cursors.entries()) {
        cursor.skipTo(first);
        if (cursor.number <= last) positions.add(position);
      }
    visit(file, positions);
  }
}

function cursorsOf(rows: readonly AmongRow[], terms: readonly string[]): PostingCursor[] {
  const lists: PostingList[][] = terms.map(() => []);
  for (const { kind, position, first, count, data } of rows) {
    if (kind === BLOCK_ROW && first !== null && data !== null) lists[position - 1]?.push({ first, count, data });
  }
  return lists.map((list) => new PostingCursor(list.toSorted((left, right) => left.first - right.first)));
}

function termsInTail(rows: readonly AmongRow[], terms: readonly string[]): Map<string | null, Set<number>> {
  const scanner = new TailScanner(terms);
  const found = new Map<string | null, Set<number>>();
  for (const { kind, file_id: fileId, data } of rows) {
    if (kind !== TAIL_ROW) continue;
    const positions = found.get(fileId) ?? new Set();
    scanner.scan(data ?? '', 0, 1, (position) => positions.add(position));
    found.set(fileId, positions);
  }
  return found;
}
