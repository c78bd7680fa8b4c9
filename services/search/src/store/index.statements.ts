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

/** Answers no row when the run was refused. $1 tenant, $2 file, $3 job, $4 fence, $5 space, $6 filename, $7 title, $8 content type, $9 metadata, $10 chunks, $11 number of the job. */
export const describeFile = statement(
  'search.describe_file',
  `update file
      set job_number = $11, fence = $4, space = $5, filename = $6, title = $7, content_type = $8, metadata = $9, chunks = $10
    where tenant_id = $1 and file_id = $2
      and not exists (select 1 from refused_run r
                      where r.tenant_id = $1 and r.file_id = $2 and r.job_id = $3 and r.fence > $4)
   returning 1`,
);

/** $1 tenant, $2 file, $3 and $4 first and last index. Answers what goes from the statistics. */
export const deletePassages = statement(
  'search.delete_passages',
  `with gone as (
     delete from passage where tenant_id = $1 and file_id = $2 and index between $3 and $4
     returning index, length, terms
   )
   select null as term, count(*) filter (where index >= 0) as passages,
          coalesce(sum(length) filter (where index >= 0), 0)::bigint as chunk_length,
          count(*) filter (where index < 0) as titles,
          coalesce(sum(length) filter (where index < 0), 0)::bigint as title_length
     from gone
   union all
   select term.lexeme, count(*), 0, 0, 0 from gone, unnest(gone.terms) as term group by term.lexeme`,
);

export const lastIndex = statement(
  'search.last_index',
  `select coalesce(max(index), -1) as last from chunk where tenant_id = $1 and file_id = $2`,
);

/** $1 tenant, $2 file, $3 and $4 first and last index. */
export const deleteChunks = statement(
  'search.delete_chunks',
  `delete from chunk where tenant_id = $1 and file_id = $2 and index between $3 and $4`,
);

/** $1 tenant, $2 file, then arrays of one length; heading paths as JSON, for arrays of arrays must be rectangular. */
export const insertChunks = statement(
  'search.insert_chunks',
  `insert into chunk (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path)
   select $1, $2, c.index, c.body, c.start_offset, c.end_offset, c.page,
          array(select jsonb_array_elements_text(c.heading_path))
     from unnest($3::int[], $4::text[], $5::bigint[], $6::bigint[], $7::int[], $8::jsonb[])
          as c(index, body, start_offset, end_offset, page, heading_path)`,
);

/** $1 tenant, $2 file, $3 space, then arrays of one length. */
export const insertPassages = statement(
  'search.insert_passages',
  `insert into passage (tenant_id, file_id, space, index, length, terms)
   select $1, $2, $3, p.index, p.length, p.terms::tsvector
     from unnest($4::int[], $5::int[], $6::text[]) as p(index, length, terms)`,
);

/** Registers the slot. $1 tenant, $2 slot. */
export const registerSlot = statement(
  'search.register_slot',
  `insert into passage_statistics values ($1, $2, 0, 0, 0, 0) on conflict do nothing`,
);

/**
 * Adds to the counters of a slot and locks it until the end of the transaction; answers no row when it is not registered.
 * $1 tenant, $2 slot, $3 to $6 differences.
 */
export const countPassages = statement(
  'search.count_passages',
  `update passage_statistics
      set chunks = chunks + $3, chunk_length = chunk_length + $4, titles = titles + $5, title_length = title_length + $6
    where tenant_id = $1 and slot = $2 returning 1`,
);

/** $1 tenant, $2 slot, $3 terms, $4 how many passages more of each. */
export const addTerms = statement(
  'search.add_terms',
  `insert into term_statistics as s (tenant_id, slot, term, passages)
   select $1, $2, t.term, t.passages from unnest($3::text[], $4::bigint[]) as t(term, passages)
   on conflict (tenant_id, term, slot) do update set passages = s.passages + excluded.passages`,
);

/** $1 tenant, $2 slot, $3 terms, $4 how many passages fewer of each. */
export const subtractTerms = statement(
  'search.subtract_terms',
  `update term_statistics as s set passages = s.passages - t.passages
     from unnest($3::text[], $4::bigint[]) as t(term, passages)
    where s.tenant_id = $1 and s.slot = $2 and s.term = t.term`,
);

/** $1 tenant, $2 slot, $3 terms that were subtracted. */
export const forgetTerms = statement(
  'search.forget_terms',
  `delete from term_statistics where tenant_id = $1 and slot = $2 and term = any($3::text[]) and passages = 0`,
);
