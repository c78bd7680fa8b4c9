// The SQL that writes the index of one file, in one transaction that locks the file's row. It is hot: each write of a file sends all of it.
import { statement } from '@kiln/platform';

/**
 * Ensures that the file has a row to lock, with a run that is earlier than all others. Another insert of the same key waits while the row
 * is inserted or changed and not committed, but not while it is only locked. So a long-running writer commits this statement first, and
 * changes the row last. $1 tenant, $2 file.
 */
export const registerFile = statement(
  'search.register_file',
  'insert into files (tenant_id, file_id, job_number, fence) values ($1, $2, 0, 0) on conflict do nothing',
);

/**
 * Registers the file like `registerFile`, and ensures that searches know its language. Rows are inserted in the same order as in
 * new-files.store.ts. $3 language.
 */
export const registerWrite = statement(
  'search.register_write',
  `with languages as (
     insert into tenant_languages (tenant_id, language) values ($1, $3) on conflict do nothing
   )
   insert into files (tenant_id, file_id, job_number, fence) values ($1, $2, 0, 0) on conflict do nothing`,
);

/**
 * Fenced: returns no row when the run was refused. Records the new index in the file's row. Otherwise returns how many passages are in the
 * first $10 rows of the tenant's tail. $1 tenant, $2 file, $3 job, $4 fence, $5 chunks, $6 chunks with terms, $7 their length, $8 titles,
 * $9 their length, $11 number of the job, $12 text of the title, $13 language.
 */
export const updateFile = statement(
  'search.update_file',
  `update files
      set first_number = null, job_number = $11, fence = $4, chunks = $5, found_chunks = $6, chunk_length = $7, titles = $8, title_length = $9,
          title_text = $12, language = $13
    where tenant_id = $1 and file_id = $2
      and not exists (select 1 from run_fences r
                      where r.tenant_id = $1 and r.file_id = $2 and r.job_id = $3 and r.fence > $4)
   returning (select coalesce(sum(passages), 0)::int8
                from (select greatest(t.chunks + t.titles, 1) as passages from tail_parts t where t.tenant_id = $1 limit $10) as tail) as unmerged`,
);

/**
 * Writes a batch of chunks and its row of the tail. $1 tenant, $2 file, $3 part, $4 last place, $5 chunks with terms, $6 their length,
 * $7 titles, $8 their length, $9 data, $10 number of the job, $11 fence. From $12 on, `chunkColumns`.
 */
export const insertPart = statement(
  'search.insert_part',
  `with texts as (
     insert into chunks (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path, lines)
     select $1, $2, c.index, c.body, c.start_offset, c.end_offset, c.page,
            array(select jsonb_array_elements_text(c.heading_path)), nullif(c.lines, '{}')::smallint[]
       from unnest($12::int[], $13::text[], $14::bigint[], $15::bigint[], $16::int[], $17::jsonb[], $18::text[])
            as c(index, body, start_offset, end_offset, page, heading_path, lines)
   )
   insert into tail_parts (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data, job_number, fence,
                           revision)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nextval('index_revisions'))`,
);
