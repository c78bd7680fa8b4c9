// The SQL that removes files from the index. Their rows must be locked.
import { statement } from '@kiln/platform';

/**
 * Deletes the files' rows of the tail, and records merged passages as removed, with what they added to the totals: what the file has in
 * total, minus what was still in the tail. $1 tenants, $2 files.
 */
export const removePassages = statement(
  'search.remove_passages',
  `with removed as (
     select tenant_id, file_id, first_number, chunks, found_chunks, chunk_length, titles, title_length
       from file where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   ), unmerged as (
     delete from index_tail where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     returning tenant_id, file_id, chunks, chunk_length, titles, title_length
   ), unmerged_file as (
     select tenant_id, file_id, sum(chunks) as chunks, sum(chunk_length) as chunk_length, sum(titles) as titles,
            sum(title_length) as title_length
       from unmerged group by tenant_id, file_id
   )
   insert into removed_range (tenant_id, first_number, numbers, chunks, chunk_length, titles, title_length)
   select r.tenant_id, r.first_number, r.chunks + 1, r.found_chunks - coalesce(u.chunks, 0),
          r.chunk_length - coalesce(u.chunk_length, 0), r.titles - coalesce(u.titles, 0),
          r.title_length - coalesce(u.title_length, 0)
     from removed r left join unmerged_file u using (tenant_id, file_id)
    where r.first_number is not null`,
);

/** Resets the files' rows to an empty index. $1 tenants, $2 files. */
export const clearFiles = statement(
  'search.clear_files',
  `update file set first_number = null, chunks = 0, found_chunks = 0, chunk_length = 0, titles = 0, title_length = 0, title_text = null,
                   language = null
    where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
);

/** $1 tenant, $2 file, $3 and $4 first and last index. */
export const deleteChunks = statement(
  'search.delete_chunks',
  `delete from chunk where tenant_id = $1 and file_id = $2 and index between $3 and $4`,
);
