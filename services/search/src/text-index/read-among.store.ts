// Reads which of the given files have which of the given terms.
import type { TextLanguage } from '@kiln/contracts';
import { statement } from '@kiln/platform';
import { PostingCursor, type PostingList } from '../postings/domain/postings.js';
import { TailScanner } from '../postings/domain/tail-data.js';

export interface AmongRow {
  /** The numbers of the first and last passage are null while the file is in the tail. */
  files: readonly (readonly [fileId: string, language: TextLanguage, first: number | null, last: number | null])[];
  /** The position of the term, from 1, and the block. */
  blocks: readonly (readonly [position: number, first: number, count: number, data: string])[];
  tail: readonly (readonly [fileId: string, data: string])[];
}

/**
 * Hot. Reads one row. For each file and term it has one block: the last one that begins before the file ends. If the file has the term,
 * this block contains it. $1 tenant, $2 files, $3 terms.
 */
export const readAmong = statement(
  'search.read_among',
  `with given as materialized (
     select file_id, language, first_number, first_number + chunks as last_number
       from files where tenant_id = $1 and file_id = any($2::uuid[]) and language is not null
   ), last_block as materialized (
     select distinct t.position::int4, t.term, b.first
       from given cross join unnest($3::text[]) with ordinality as t(term, position)
      cross join lateral (select first from posting_blocks
                           where tenant_id = $1 and term = t.term and first <= given.last_number
                           order by first desc limit 1) as b
   )
   select (select coalesce(json_agg(json_build_array(file_id, language, first_number, last_number)), '[]') from given) as files,
          (select coalesce(json_agg(json_build_array(l.position, b.first, b.count, b.data)), '[]')
             from last_block l join posting_blocks b on b.tenant_id = $1 and b.term = l.term and b.first = l.first) as blocks,
          (select coalesce(json_agg(json_build_array(t.file_id, t.data)), '[]')
             from tail_parts t where t.tenant_id = $1 and t.file_id = any($2::uuid[])) as tail`,
);

/** Calls `visit` once for each file, with the positions of its terms. */
export function visitTerms(
  { files, blocks, tail }: AmongRow,
  terms: readonly string[],
  visit: (fileId: string, language: TextLanguage, positions: ReadonlySet<number>) => void,
): void {
  const lists: PostingList[][] = terms.map(() => []);
  for (const [position, first, count, data] of blocks) lists[position - 1]?.push({ first, count, data });
  const cursors = lists.map((list) => new PostingCursor(list.toSorted((left, right) => left.first - right.first)));
  const scanner = new TailScanner(terms);
  const inTail = new Map<string, Set<number>>();
  for (const [fileId, data] of tail) {
    const positions = inTail.get(fileId) ?? new Set();
    scanner.scan(data, 0, 1, (position) => positions.add(position));
    inTail.set(fileId, positions);
  }
  // Cursors only move forward.
  for (const [fileId, language, first, last] of files.toSorted(
    ([, , left], [, , right]) => (left ?? 0) - (right ?? 0),
  )) {
    const positions = new Set(inTail.get(fileId));
    if (first !== null && last !== null)
      for (const [position, cursor] of cursors.entries()) {
        cursor.skipTo(first);
        if (cursor.number <= last) positions.add(position);
      }
    visit(fileId, language, positions);
  }
}
