// The SQL that reads the index. A search and a match read the same: `readIndex` in one snapshot, then `readFurther` for the ranges of numbers
// that were too much for it. Postings are one text, whose parts are joined by line feeds, which no term and no number contains: PostgreSQL
// and the driver handle it many times faster than a row or a JSON string for each block.
import { statement } from '@kiln/platform';
import { NUMBERS_PER_WINDOW } from '../postings/domain/number-set.js';

/** One row. The columns of `IndexRange`: see searching/domain/index-reader.ts. */
const blocksIn = (range: string) => `
  select json_agg(json_build_array(t.position, b.first, b.count)) as blocks, string_agg(b.data, e'\\n') as postings
    from unnest($2::text[]) with ordinality as t(term, position)
    join posting_block b on b.tenant_id = $1 and b.term = t.term and ${range}`;
const windowsIn = (range: string) => `
  (select json_agg(json_build_array(window_number, ranges)) from removed_window where tenant_id = $1 and ${range}) as removed_windows`;

const RANGE_END = '(select range_end from range)';

/**
 * Reads what decides which passages have the terms, as `IndexStart`. It must be one statement: between two statements, a merge could move
 * passages, which would then be read twice or not at all. When the terms have more than $4 postings at number $3 or higher, it reads only
 * passages below number $5, and returns the count of postings from $3 on. $1 tenant, $2 terms.
 */
export const readIndex = statement(
  'search.read_index',
  `with further as materialized (
     select t.position, sum(b.count)::int8 as count
       from unnest($2::text[]) with ordinality as t(term, position)
       join posting_block b on b.tenant_id = $1 and b.term = t.term and b.first >= $3::int8
      group by t.position
   ), range as materialized (
     select coalesce(sum(count), 0) <= $4::int8 as is_whole,
            case when sum(count) > $4::int8 then $5::int8 else ${Number.MAX_SAFE_INTEGER}::int8 end as range_end from further
   )
   select merged.blocks, merged.postings, tail.files as tail, tail.data as tail_data,
          ${windowsIn(`window_number < ${RANGE_END} / ${NUMBERS_PER_WINDOW}`)},
          (select json_agg(json_build_array(first_number, numbers)) from removed_range where tenant_id = $1) as removed_ranges,
          (select json_agg(json_build_array(position, count)) from further where not (select is_whole from range)) as further,
          (select row_to_json(i) from (select next_number, chunks, chunk_length, titles, title_length
                                         from tenant_index where tenant_id = $1) as i) as merged,
          (select json_agg(language) from tenant_language where tenant_id = $1) as languages
     from (${blocksIn(`b.first < ${RANGE_END}`)}) as merged
    cross join (
     select string_agg(t.data, e'\\n') as data,
            json_agg(json_build_object(
              'file_id', t.file_id, 'part', t.part, 'last_place', t.last_place, 'first_number', f.first_number,
              'job_number', t.job_number, 'fence', t.fence, 'chunks', t.chunks, 'chunk_length', t.chunk_length,
              'titles', t.titles, 'title_length', t.title_length)) as files
       from index_tail t
       left join tenant_index i on i.tenant_id = $1 and i.partial_file_id = t.file_id
       left join file f on f.tenant_id = $1 and f.file_id = i.partial_file_id
      where t.tenant_id = $1) as tail`,
);

/** Reads the next range of numbers of a large tenant, as `IndexRange`. $1 tenant, $2 terms, $3 first number, $4 end (exclusive). */
export const readFurther = statement(
  'search.read_further',
  `select merged.*,
          ${windowsIn(`window_number >= $3::int8 / ${NUMBERS_PER_WINDOW} and window_number < $4::int8 / ${NUMBERS_PER_WINDOW}`)}
     from (${blocksIn('b.first >= $3::int8 and b.first < $4::int8')}) as merged`,
);

/**
 * Reads the texts of passages until they have $7 bytes together: the rows of the first ones, at least one. The file is null when it was deleted
 * or replaced since it was read: a merged file is identified by its number, which is never reused, and a file of the tail by its run.
 *
 * $1 tenant. Arrays with one element per passage: $2 the number of a merged file, otherwise null; $3 id, $4 job number and $5 fence of a file
 * of the tail, otherwise null; $6 the place of the passage in its file.
 */
export const readPassages = statement(
  'search.read_passages',
  `with found as (
     select t.position, coalesce(merged.file_id, unmerged.file_id) as file_id, coalesce(merged.language, unmerged.language) as language,
            coalesce(case when t.place = 0 then coalesce(merged.title_text, unmerged.title_text) else c.body end, '') as body
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
