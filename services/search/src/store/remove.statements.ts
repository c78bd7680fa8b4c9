// The SQL that takes files out of the index. Their rows must be locked.
import { statement } from '@kiln/platform';

/**
 * $1 tenants, $2 files. What is in the tail goes; what is merged is marked as removed, with what it added to the totals: all
 * of the file but what was still in the tail.
 */
export const removePassages = statement(
  'search.remove_passages',
  `with doomed as (
     select * from file where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   ), unmerged as (
     delete from index_tail where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     returning tenant_id, file_id, chunks, chunk_length, titles, title_length
   ), unmerged_file as (
     select tenant_id, file_id, sum(chunks) as chunks, sum(chunk_length) as chunk_length, sum(titles) as titles,
            sum(title_length) as title_length
       from unmerged group by tenant_id, file_id
   ), cleared as (
     update file set first_number = null, chunks = 0, found_chunks = 0, chunk_length = 0, titles = 0, title_length = 0
      where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   )
   insert into removed_range (tenant_id, first_number, numbers, chunks, chunk_length, titles, title_length)
   select d.tenant_id, d.first_number, d.chunks + 1, d.found_chunks - coalesce(u.chunks, 0),
          d.chunk_length - coalesce(u.chunk_length, 0), d.titles - coalesce(u.titles, 0),
          d.title_length - coalesce(u.title_length, 0)
     from doomed d left join unmerged_file u using (tenant_id, file_id)
    where d.first_number is not null`,
);

/** $1 tenant, $2 file, $3 and $4 first and last index. */
export const deleteChunks = statement(
  'search.delete_chunks',
  `delete from chunk where tenant_id = $1 and file_id = $2 and index between $3 and $4`,
);
