// Compares the counts in the database with the files that exist.
import type { FilesHarness } from './files-harness.js';

/** Spaces whose counts differ from their files, or that have files although they neither exist nor are being deleted. */
export function wrongCounts({ sql }: Pick<FilesHarness, 'sql'>, tenantId: string): Promise<object[]> {
  const counted = (status: string) => `count(*) filter (where status = '${status}')`;
  return sql(
    `with files_there as (
       select space_id, ${counted('uploading')} as uploading, ${counted('uploaded')} as uploaded,
         ${counted('processing')} as processing, ${counted('completed')} as completed, ${counted('failed')} as failed,
         coalesce(sum(size_bytes), 0) as bytes
       from files where tenant_id = $1 and space_id not in (select space_id from deleted_spaces) group by 1
     ), files_counted as (
       select space_id, sum(uploading) as uploading, sum(uploaded) as uploaded, sum(processing) as processing,
         sum(completed) as completed, sum(failed) as failed, sum(size_bytes) as bytes
       from space_counts where tenant_id = $1 group by 1
     )
     select * from files_there t full join files_counted c using (space_id)
     where (coalesce(t.uploading, 0), coalesce(t.uploaded, 0), coalesce(t.processing, 0), coalesce(t.completed, 0),
            coalesce(t.failed, 0), coalesce(t.bytes, 0))
        <> (coalesce(c.uploading, 0), coalesce(c.uploaded, 0), coalesce(c.processing, 0), coalesce(c.completed, 0),
            coalesce(c.failed, 0), coalesce(c.bytes, 0))
       or not exists (select from spaces s where s.tenant_id = $1 and s.id = space_id)`,
    [tenantId],
  );
}
