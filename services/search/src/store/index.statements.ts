// The SQL that writes the index of one file. All of it runs in one transaction that holds the file's row.
import { statement } from '@kiln/platform';

/** Makes sure there is a row to lock; answers one row when it made it. $1 tenant, $2 file, $3 number of the job. */
export const registerFile = statement(
  'search.register_file',
  `insert into file (tenant_id, file_id, job_number, fence) values ($1, $2, $3, 0) on conflict do nothing returning 1`,
);

export const lockFile = statement(
  'search.lock_file',
  `select job_number, fence, chunks from file where tenant_id = $1 and file_id = $2 for update`,
);

/**
 * Answers how many passages are in the tenant's tail, of its first $10 rows, or no row when the run was refused. $1 tenant,
 * $2 file, $3 job, $4 fence, $5 chunks, $6 chunks with terms, $7 their length, $8 titles, $9 their length, $11 number of the job.
 */
export const describeFile = statement(
  'search.describe_file',
  `update file
      set job_number = $11, fence = $4, chunks = $5, found_chunks = $6, chunk_length = $7, titles = $8, title_length = $9
    where tenant_id = $1 and file_id = $2
      and not exists (select 1 from refused_run r
                      where r.tenant_id = $1 and r.file_id = $2 and r.job_id = $3 and r.fence > $4)
   returning (select coalesce(sum(passages), 0)::int8
                from (select greatest(t.chunks + t.titles, 1) as passages from index_tail t where t.tenant_id = $1 limit $10) as tail) as waiting`,
);

/**
 * Writes a batch of chunks, and what is findable of it. $1 tenant, $2 file, $3 part, $4 last place, $5 chunks with terms, $6
 * their length, $7 titles, $8 their length, $9 data; from $10 on arrays of one length, for each chunk: index, body, start, end,
 * page, heading path as JSON, for arrays of arrays must be rectangular.
 */
export const insertPart = statement(
  'search.insert_part',
  `with texts as (
     insert into chunk (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path)
     select $1, $2, c.index, c.body, c.start_offset, c.end_offset, c.page,
            array(select jsonb_array_elements_text(c.heading_path))
       from unnest($10::int[], $11::text[], $12::bigint[], $13::bigint[], $14::int[], $15::jsonb[])
            as c(index, body, start_offset, end_offset, page, heading_path)
   )
   insert into index_tail (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
