// Removes deleted or replaced files from the index.
import { statement, type Transaction } from '@kiln/platform';
import { discardAllStaged } from '../vectors/staged-vectors.statements.js';
import { deleteVectors } from '../vectors/write-vectors.store.js';

/**
 * Set-based. Deletes the files' rows of the tail. Records merged passages as removed, with what they added to the totals: the file's
 * totals, minus what was still in the tail. Withholds what OpenSearch has of the files. $1 tenants, $2 files.
 */
export const removePassages = statement(
  'search.remove_passages',
  `with removed as (
     select tenant_id, file_id, first_number, chunks, found_chunks, chunk_length, titles, title_length
       from files where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   ), unmerged as (
     delete from tail_parts where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     returning tenant_id, file_id, chunks, chunk_length, titles, title_length
   ), withheld as (
     update opensearch_files set served = false, revision = nextval('index_revisions')
      where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   ), unmerged_file as (
     select tenant_id, file_id, sum(chunks) as chunks, sum(chunk_length) as chunk_length, sum(titles) as titles,
            sum(title_length) as title_length
       from unmerged group by tenant_id, file_id
   )
   insert into removed_ranges (tenant_id, first_number, numbers, chunks, chunk_length, titles, title_length)
   select r.tenant_id, r.first_number, r.chunks + 1, r.found_chunks - coalesce(u.chunks, 0),
          r.chunk_length - coalesce(u.chunk_length, 0), r.titles - coalesce(u.titles, 0),
          r.title_length - coalesce(u.title_length, 0)
     from removed r left join unmerged_file u using (tenant_id, file_id)
    where r.first_number is not null`,
);

/** Set-based: deletes thousands of rows. $1 tenant, $2 file, $3 and $4 first and last index. */
const deleteChunks = statement(
  'search.delete_chunks',
  `delete from chunks where tenant_id = $1 and file_id = $2 and index between $3 and $4`,
);

export interface IndexedFileKey {
  tenantId: string;
  fileId: string;
  chunks: number;
}

/** A statement has a deadline, and a file may have 100,000 chunks. */
const CHUNKS_PER_DELETE = 2_000;

/**
 * Removes the files from the index. The caller must have locked their rows. It must update these rows afterwards, and record the removal or
 * replacement of their vectors last.
 */
export async function removeFiles(transaction: Transaction, files: readonly IndexedFileKey[]): Promise<void> {
  const keys = [files.map((file) => file.tenantId), files.map((file) => file.fileId)];
  await transaction.query(removePassages, keys);
  await transaction.query(discardAllStaged, keys);
  for (const { tenantId, fileId, chunks } of files) {
    for (let first = 0; first < chunks; first += CHUNKS_PER_DELETE) {
      await transaction.query(deleteChunks, [tenantId, fileId, first, first + CHUNKS_PER_DELETE - 1]);
    }
    if (chunks > 0) await deleteVectors(transaction, tenantId, fileId);
  }
}
