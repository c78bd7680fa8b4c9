// The SQL that finds the files of postings, and the postings of files.
import type { TextLanguage } from '@kiln/contracts';
import { statement } from '@kiln/platform';

export const readLanguages = statement(
  'search.read_languages',
  'select language from tenant_language where tenant_id = $1',
);

/** As packed ids, since the driver takes ten times as long to read a row for each. $1 tenant, $2 numbers of first passages. */
export const readNumbered = statement(
  'search.read_numbered',
  `select replace(encode(coalesce(string_agg(uuid_send(file_id), ''), ''), 'base64'), e'\\n', '') as packed
     from file where tenant_id = $1 and first_number = any($2::int8[])`,
);

/** The kinds of rows that `readAmong` returns. */
export const FILE_ROW = 0;
export const BLOCK_ROW = 1;
export const TAIL_ROW = 2;

export interface AmongRow {
  kind: number;
  /** Of a file, and of a row of its tail. */
  file_id: string | null;
  /** Of a file. */
  language: TextLanguage | null;
  /** Of a block: the position of its term in $3, from 1. */
  position: number;
  /** The numbers of the first and last passage of a file, null while it is in the tail; the first number of a block. */
  first: number | null;
  last: number | null;
  /** Postings of a block. */
  count: number;
  data: string | null;
}

/**
 * Reads what decides which files have which terms. For each file and term this is one block: the last one that begins before the file ends.
 * If the term is in the file, then in this block. $1 tenant, $2 files, $3 terms.
 */
export const readAmong = statement(
  'search.read_among',
  `with given as materialized (
     select file_id, language, first_number, first_number + chunks as last_number
       from file where tenant_id = $1 and file_id = any($2::uuid[]) and language is not null
   ), last_block as materialized (
     select distinct t.position::int4, t.term, b.first
       from given cross join unnest($3::text[]) with ordinality as t(term, position)
      cross join lateral (select first from posting_block
                           where tenant_id = $1 and term = t.term and first <= given.last_number
                           order by first desc limit 1) as b
   )
   select ${FILE_ROW} as kind, file_id, language, 0 as position, first_number as first, last_number as last, 0 as count, null as data
     from given
   union all
   select ${BLOCK_ROW}, null, null, l.position, b.first, null, b.count, b.data
     from last_block l join posting_block b on b.tenant_id = $1 and b.term = l.term and b.first = l.first
   union all
   select ${TAIL_ROW}, t.file_id, null, 0, null, null, 0, t.data
     from index_tail t where t.tenant_id = $1 and t.file_id = any($2::uuid[])`,
);
