// The SQL of a search. The first statement reads everything that is scored, in one snapshot. The second reads the texts of the results, if
// the scored version is still the current one. A merged file is identified by its number, which is never reused, and a file of the tail by
// its run.
import { statement } from '@kiln/platform';
import { NUMBERS_PER_WINDOW } from '../postings/domain/number-set.js';

/** The kinds of rows that `readIndex` returns. */
export const TENANT_ROW = 0;
export const BLOCK_ROW = 1;
export const FURTHER_COUNT_ROW = 2;
export const WINDOW_ROW = 3;
export const RANGE_ROW = 4;
export const TAIL_ROW = 5;
export const LANGUAGE_ROW = 6;

export interface IndexRow {
  kind: number;
  /** In a block: the position of its term in $2, from 1. In a row of the tail: its last place. */
  position: number;
  /** The number of a passage or of a window. Null when the file has no number yet. */
  first: number | null;
  /** In a row of the tail: the part of the file. */
  count: number;
  /** Postings, or the ranges of a window, or a language. */
  data: string | null;
  file_id: string | null;
  /** In a row of the tail: the run that wrote it. */
  job_number: number | null;
  fence: number | null;
  chunks: number | null;
  chunk_length: number | null;
  titles: number | null;
  title_length: number | null;
}

const blocks = (range: string) => `
  select ${BLOCK_ROW} as kind, t.position::int4, b.first, b.count, b.data, null::uuid as file_id,
         null::int8 as job_number, null::int8 as fence, null::int8 as chunks, null::int8 as chunk_length, null::int8 as titles, null::int8 as title_length
    from unnest($2::text[]) with ordinality as t(term, position)
    join posting_block b on b.tenant_id = $1 and b.term = t.term and ${range}`;

/** Higher than any number when everything is read. */
const RANGE_END = `(select coalesce(range_end, ${Number.MAX_SAFE_INTEGER}::int8) from range)`;

const removedWindows = (range: string) => `
  select ${WINDOW_ROW}, 0, window_number, 0, ranges, null, null, null, null, null, null, null
    from removed_window where tenant_id = $1 and ${range}`;

/**
 * Reads what a search needs to score passages. It must be one statement: between two statements, a merge could move passages, which would
 * then be read twice or not at all. When the terms have more than $4 postings at number $3 or higher, it reads only passages below number
 * $5, and returns the count of postings from $3 on. $1 tenant, $2 terms.
 */
export const readIndex = statement(
  'search.read_index',
  `with further as materialized (
     select t.position::int4, sum(b.count)::int8 as count
       from unnest($2::text[]) with ordinality as t(term, position)
       join posting_block b on b.tenant_id = $1 and b.term = t.term and b.first >= $3::int8
      group by t.position
   ), range as materialized (
     select case when sum(count) > $4::int8 then $5::int8 end as range_end from further
   )
   ${blocks(`b.first < ${RANGE_END}`)}
   union all ${removedWindows(`window_number < ${RANGE_END} / ${NUMBERS_PER_WINDOW}`)}
   union all
   select ${TENANT_ROW}, 0, next_number, 0, null, null, null, null, chunks, chunk_length, titles, title_length
     from tenant_index where tenant_id = $1
   union all
   select ${FURTHER_COUNT_ROW}, position, count, 0, null, null, null, null, null, null, null, null
     from further where (select range_end is not null from range)
   union all
   select ${LANGUAGE_ROW}, 0, null, 0, language, null, null, null, null, null, null, null
     from tenant_language where tenant_id = $1
   union all
   select ${RANGE_ROW}, 0, first_number, numbers, null, null, null, null, null, null, null, null
     from removed_range where tenant_id = $1
   union all
   select ${TAIL_ROW}, t.last_place, f.first_number, t.part, t.data, t.file_id, t.job_number, t.fence,
          t.chunks, t.chunk_length, t.titles, t.title_length
     from index_tail t
     left join tenant_index i on i.tenant_id = $1 and i.partial_file_id = t.file_id
     left join file f on f.tenant_id = $1 and f.file_id = i.partial_file_id
    where t.tenant_id = $1`,
);

/** Reads the next range of numbers of a large tenant. $1 tenant, $2 terms, $3 first number, $4 end (exclusive). */
export const readFurther = statement(
  'search.read_further',
  `${blocks('b.first >= $3::int8 and b.first < $4::int8')}
   union all ${removedWindows(
     `window_number >= $3::int8 / ${NUMBERS_PER_WINDOW} and window_number < $4::int8 / ${NUMBERS_PER_WINDOW}`,
   )}`,
);

/**
 * Reads the text of one chunk of each result, and its language. The file is null when it was deleted or replaced since it was scored. $1 tenant. Arrays with one
 * element per file: $2 the number of a merged file, otherwise null; $3 id, $4 job number and $5 fence of a file of the tail, otherwise
 * null; $6 index of the chunk.
 */
export const readFound = statement(
  'search.read_found',
  `select coalesce(merged.file_id, unmerged.file_id) as file_id, coalesce(merged.language, unmerged.language) as language,
          coalesce(c.body, '') as body
     from unnest($2::int8[], $3::uuid[], $4::int8[], $5::int8[], $6::int4[])
          with ordinality as t(first_number, file_id, job_number, fence, index, position)
     left join file merged on merged.tenant_id = $1 and merged.first_number = t.first_number
     left join file unmerged on unmerged.tenant_id = $1 and unmerged.file_id = t.file_id
                           and unmerged.job_number = t.job_number and unmerged.fence = t.fence
     left join chunk c on c.tenant_id = $1 and c.file_id = coalesce(merged.file_id, unmerged.file_id) and c.index = t.index
    order by t.position`,
);

/**
 * Reads the texts of passages until they have $7 bytes together: the rows of the first ones, at least one. $1 tenant. Arrays with one
 * element per passage: $2 to $5 as in `readFound`, $6 the place of the passage in its file. The file is null as in `readFound`.
 */
export const readPassages = statement(
  'search.read_passages',
  `with found as (
     select t.position, coalesce(merged.file_id, unmerged.file_id) as file_id, coalesce(merged.language, unmerged.language) as language,
            case when t.place = 0 then coalesce(merged.title_text, unmerged.title_text) else c.body end as body
       from unnest($2::int8[], $3::uuid[], $4::int8[], $5::int8[], $6::int4[])
            with ordinality as t(first_number, file_id, job_number, fence, place, position)
       left join file merged on merged.tenant_id = $1 and merged.first_number = t.first_number
       left join file unmerged on unmerged.tenant_id = $1 and unmerged.file_id = t.file_id
                             and unmerged.job_number = t.job_number and unmerged.fence = t.fence
       left join chunk c on c.tenant_id = $1 and c.file_id = coalesce(merged.file_id, unmerged.file_id) and c.index = t.place - 1
   ), sized as (
     select *, coalesce(sum(octet_length(body)) over (order by position rows between unbounded preceding and 1 preceding), 0) as before
       from found
   )
   select file_id, language, body from sized where before < $7::int8 order by position`,
);
