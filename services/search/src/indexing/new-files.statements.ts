// The SQL that writes several new files at once.
import { statement } from '@kiln/platform';

/**
 * Writes the files that have no row. Returns their ids, and how many passages the first $18 rows of the tenant's tail had before. The rows
 * of files are inserted in the order of their ids, those of languages after them, so that two calls cannot deadlock.
 *
 * $1 tenant. Arrays with one element per file: $2 id, $3 number of the job, $4 fence, $5 chunks, $6 chunks with terms, $7 their length,
 * $8 titles, $9 their length, $10 data of the tail. Arrays with one element per chunk: $11 file, $12 index, $13 body, $14 start, $15 end,
 * $16 page, $17 heading path (as JSON, because arrays of arrays must be rectangular). One element per file again: $19 text of the title, $20
 * language.
 */
export const writeNewFiles = statement(
  'search.write_new_files',
  `with given as materialized (
     select * from unnest($2::uuid[], $3::int8[], $4::int8[], $5::int4[], $6::int8[], $7::int8[], $8::int8[], $9::int8[], $10::text[],
                          $19::text[], $20::text[])
       as g(file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, data, title_text, language)
   ), written as (
     insert into file (tenant_id, file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, title_text,
                       language)
     select $1, file_id, job_number, fence, chunks, found_chunks, chunk_length, titles, title_length, title_text, language
       from given order by file_id
     on conflict do nothing
     returning file_id
   ), languages as (
     insert into tenant_language (tenant_id, language)
     select distinct $1::uuid, language from given order by language
     on conflict do nothing
   ), tails as (
     insert into index_tail (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data, job_number, fence)
     select $1, file_id, 0, chunks, found_chunks, chunk_length, titles, title_length, data, job_number, fence
       from given join written using (file_id)
   ), texts as (
     insert into chunk (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path)
     select $1, file_id, c.index, c.body, c.start_offset, c.end_offset, c.page,
            array(select jsonb_array_elements_text(c.heading_path))
       from unnest($11::uuid[], $12::int4[], $13::text[], $14::int8[], $15::int8[], $16::int4[], $17::jsonb[])
              as c(file_id, index, body, start_offset, end_offset, page, heading_path)
       join written using (file_id)
   )
   select coalesce((select array_agg(file_id) from written), '{}') as written,
          (select coalesce(sum(passages), 0)::int8
             from (select greatest(t.chunks + t.titles, 1) as passages from index_tail t
                    where t.tenant_id = $1 limit $18) as tail) as unmerged`,
);
