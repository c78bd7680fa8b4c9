// The SQL of a search. Both statements run in one snapshot.
import { statement } from '@kiln/platform';
import { NUMBERS_PER_WINDOW } from '../domain/number-set.js';

/** What a row of `readIndex` is. */
export const TENANT_ROW = 0;
export const BLOCK_ROW = 1;
export const FURTHER_COUNT_ROW = 2;
export const WINDOW_ROW = 3;
export const RANGE_ROW = 4;
export const TAIL_ROW = 5;

export interface IndexRow {
  kind: number;
  /** Of a block: the position of its term in $2, from 1. Of a row of the tail: its last place. */
  position: number;
  /** A number of a passage, or of a window; null where the file has none yet. */
  first: number | null;
  /** Of a row of the tail: which part of the file it is. */
  count: number;
  data: string | null;
  file_id: string | null;
  chunks: number | null;
  chunk_length: number | null;
  titles: number | null;
  title_length: number | null;
}

const blocks = (range: string) => `
  select ${BLOCK_ROW} as kind, t.position::int4, b.first, b.count, b.data, null::uuid as file_id,
         null::int8 as chunks, null::int8 as chunk_length, null::int8 as titles, null::int8 as title_length
    from unnest($2::text[]) with ordinality as t(term, position)
    join posting_block b on b.tenant_id = $1 and b.term = t.term and ${range}`;

const removedWindows = (range: string) => `
  select ${WINDOW_ROW}, 0, window_number, 0, ranges, null, null, null, null, null
    from removed_window where tenant_id = $1 and ${range}`;

/**
 * All that a search needs to score the passages below number $3, and the statistics of all passages. It must be one statement:
 * a merge between two would be seen twice or not at all. $1 tenant, $2 terms, $3 number.
 */
export const readIndex = statement(
  'search.read_index',
  `${blocks('b.first < $3::int8')}
   union all ${removedWindows(`window_number < $3::int8 / ${NUMBERS_PER_WINDOW}`)}
   union all
   select ${TENANT_ROW}, 0, next_number, 0, null, null, chunks, chunk_length, titles, title_length
     from tenant_index where tenant_id = $1
   union all
   select ${FURTHER_COUNT_ROW}, t.position::int4, sum(b.count)::int8, 0, null, null, null, null, null, null
     from unnest($2::text[]) with ordinality as t(term, position)
     join posting_block b on b.tenant_id = $1 and b.term = t.term and b.first >= $3::int8
    group by t.position
   union all
   select ${RANGE_ROW}, 0, first_number, numbers, null, null, null, null, null, null
     from removed_range where tenant_id = $1
   union all
   select ${TAIL_ROW}, t.last_place, f.first_number, t.part, t.data, t.file_id,
          t.chunks, t.chunk_length, t.titles, t.title_length
     from index_tail t
     left join tenant_index i on i.tenant_id = $1 and i.partial_file_id = t.file_id
     left join file f on f.tenant_id = $1 and f.file_id = i.partial_file_id
    where t.tenant_id = $1`,
);

/** What lies in the next numbers of a large tenant. $1 tenant, $2 terms, $3 and $4 the first number and the one behind the last. */
export const readFurther = statement(
  'search.read_further',
  `${blocks('b.first >= $3::int8 and b.first < $4::int8')}
   union all ${removedWindows(
     `window_number >= $3::int8 / ${NUMBERS_PER_WINDOW} and window_number < $4::int8 / ${NUMBERS_PER_WINDOW}`,
   )}`,
);

/**
 * The files found, and the text of a chunk of each. $1 tenant, $2 numbers of merged files or null, $3 ids of the others or
 * null, $4 indexes of chunks.
 */
export const readFound = statement(
  'search.read_found',
  `select coalesce(t.file_id, f.file_id) as file_id, coalesce(c.body, '') as body
     from unnest($2::int8[], $3::uuid[], $4::int4[]) with ordinality as t(first_number, file_id, index, position)
     left join file f on f.tenant_id = $1 and f.first_number = t.first_number
     left join chunk c on c.tenant_id = $1 and c.file_id = coalesce(t.file_id, f.file_id) and c.index = t.index
    order by t.position`,
);
