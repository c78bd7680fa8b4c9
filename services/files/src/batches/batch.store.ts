// Batches and their files. Each write is one statement, however many files the batch has.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { VISIBLE_FILES, type FileRow } from '../files/file.rows.js';

export type BatchFileRow = Pick<FileRow, 'id' | 'status'>;

/** Set-based. $1 tenant, $2 batch, $3 its files. */
const add = statement(
  'batches.add',
  `with batch as (
     insert into batches (tenant_id, id) values ($1, $2) on conflict do nothing
   )
   insert into batch_files (tenant_id, batch_id, file_id) select $1, $2, unnest($3::uuid[]) on conflict do nothing`,
);
/** A single statement reads counts, files and the run of a connection of the same moment. It returns no row when the batch does not exist. */
const find = statement(
  'batches.find',
  `with listed as (
     select f.id, f.status
     from batch_files m join (${VISIBLE_FILES}) on f.tenant_id = m.tenant_id and f.id = m.file_id
     where m.tenant_id = $1 and m.batch_id = $2 order by m.file_id limit $3
   )
   select c.*, exists (select 1 from connection_runs where tenant_id = $1 and batch_id = $2) as "isGrowing", coalesce((select jsonb_agg(listed order by id) from listed), '[]') as files
   from batches b cross join lateral (
     select coalesce(sum(total), 0)::int as total, coalesce(sum(completed), 0)::int as completed,
       coalesce(sum(failed), 0)::int as failed, coalesce(sum(cancelled), 0)::int as cancelled
     from batch_counts where tenant_id = $1 and batch_id = $2
   ) c
   where b.tenant_id = $1 and b.id = $2`,
);

export interface BatchProgress {
  total: number;
  completed: number;
  failed: number;
  cancelled: number;
  /** Files of a connection are still being added. */
  isGrowing: boolean;
  files: BatchFileRow[];
}

@Injectable()
export class BatchStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds files to the batch, which is created if it does not exist. The statement changes no file, because the triggers would
   * count a change twice.
   */
  async add(
    transaction: Queryable,
    { tenantId, batchId }: { tenantId: string; batchId: string },
    fileIds: string[],
  ): Promise<void> {
    await transaction.query(add, [tenantId, batchId, fileIds]);
  }

  /** Progress of the batch, with the first `filesMax` of its files. Null when the batch does not exist. */
  async find(tenantId: string, batchId: string, filesMax: number): Promise<BatchProgress | null> {
    const [row] = await this.database.query<BatchProgress>(find, [tenantId, batchId, filesMax]);
    return row ?? null;
  }
}
