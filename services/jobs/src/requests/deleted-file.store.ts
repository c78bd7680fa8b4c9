// Tombstones of deleted files. Their jobs are deleted, and late requests create none.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { deleteRest } from '../jobs/delete-rest.statement.js';

/**
 * Inserts the tombstone first: a concurrent request either sees it, or `confirm` deletes its job. Locks the jobs before their counts, as retention does.
 * `confirm` deletes the counts that a concurrent retention has written.
 */
const deleteJobs = statement(
  'deleted_files.delete_jobs',
  `with known as (
     insert into deleted_files (tenant_id, file_id) values ($1, $2) on conflict do nothing
   ), gone as (
     delete from jobs where tenant_id = $1 and file_id = $2 returning id, status
   ), uncounted as (
     delete from superseded_jobs where tenant_id = $1 and file_id = $2 and (select count(*) from gone) > 0
   )
   select id, status from gone`,
);
const isDeleted = statement('deleted_files.find', 'select 1 from deleted_files where tenant_id = $1 and file_id = $2');
/** No transaction takes two minutes. */
const confirm = statement(
  'deleted_files.confirm',
  `with due as materialized (
     select tenant_id, file_id from deleted_files where not confirmed and deleted_at < now() - interval '2 minutes'
     order by deleted_at limit $1 for update skip locked
   ), gone as (
     delete from jobs j using due where j.tenant_id = due.tenant_id and j.file_id = due.file_id
     returning j.tenant_id, j.id
   ), uncounted as (
     delete from superseded_jobs s using due where s.tenant_id = due.tenant_id and s.file_id = due.file_id
   ), done as (
     update deleted_files d set confirmed = true from due
     where d.tenant_id = due.tenant_id and d.file_id = due.file_id returning 1
   )
   select (select count(*)::int from done) as files, array_agg(tenant_id) as tenant_ids, array_agg(id) as job_ids from gone`,
);
const sweep = statement(
  'deleted_files.sweep',
  `delete from deleted_files where (tenant_id, file_id) in
     (select tenant_id, file_id from deleted_files where deleted_at < now() - interval '8 days' and confirmed
      order by deleted_at limit $1)`,
);

@Injectable()
export class DeletedFileStore {
  constructor(@Inject(Database) private readonly database: Pick<Database, 'query' | 'transaction'>) {}

  /** Deletes the jobs of a file with the log of their runs and their page reservations. Returns whether one of them was running. */
  async deleteJobs(transaction: Queryable, tenantId: string, fileId: string): Promise<boolean> {
    const rows = await transaction.query<{ id: string; status: string }>(deleteJobs, [tenantId, fileId]);
    if (rows.length > 0) await transaction.query(deleteRest, [rows.map(() => tenantId), rows.map(({ id }) => id)]);
    return rows.some(({ status }) => status === 'processing');
  }

  async isDeleted(on: Queryable, tenantId: string, fileId: string): Promise<boolean> {
    return (await on.query(isDeleted, [tenantId, fileId])).length > 0;
  }

  /** Deletes jobs that a concurrent request created for a deleted file. Returns how many files it has confirmed. */
  async confirm(limit: number): Promise<number> {
    type Answer = { files: number; tenant_ids: string[] | null; job_ids: string[] | null };
    return this.database.transaction(async (transaction) => {
      const [answer] = await transaction.query<Answer>(confirm, [limit]);
      if (answer?.job_ids) await transaction.query(deleteRest, [answer.tenant_ids, answer.job_ids]);
      return answer?.files ?? 0;
    });
  }

  /** Removes tombstones that are older than any event in the stream. */
  async sweep(limit: number): Promise<void> {
    await this.database.query(sweep, [limit]);
  }
}
