// Takes deleted files out of the index, many in one transaction. It locks the rows of the files in the order of their keys,
// and a writer of the index locks one file only: no two wait for each other in a circle.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { HIGHEST_RUN } from '../domain/run.js';
import { removeFiles, type IndexedFileKey } from './remove-passages.js';

const FILES_PER_BATCH = 200;
/** Chunks that one transaction removes, unless a single file has more. */
const CHUNKS_PER_BATCH = 2_000;

const request = statement(
  'search.request_removal',
  'insert into file_removal (tenant_id, file_id) values ($1, $2) on conflict do nothing',
);
const claim = statement(
  'search.claim_removals',
  `select r.tenant_id, r.file_id,
          coalesce((select f.chunks from file f where f.tenant_id = r.tenant_id and f.file_id = r.file_id), 0) as chunks
     from file_removal r order by r.requested_at limit $1 for update skip locked`,
);
/** $1 tenants, $2 files, $3 and $4 the highest run there can be. */
const bury = statement(
  'search.bury_files',
  `insert into file (tenant_id, file_id, job_number, fence, removed_at)
   select tenant_id, file_id, $3, $4, now() from unnest($1::uuid[], $2::uuid[]) as r (tenant_id, file_id) order by 1, 2
   on conflict (tenant_id, file_id) do update
     set job_number = excluded.job_number, fence = excluded.fence, removed_at = excluded.removed_at
   returning tenant_id as "tenantId", file_id as "fileId", chunks`,
);
const settle = statement(
  'search.settle_removals',
  `delete from file_removal r using unnest($1::uuid[], $2::uuid[]) as done (tenant_id, file_id)
    where r.tenant_id = done.tenant_id and r.file_id = done.file_id`,
);
const forget = statement(
  'search.forget_tombstones',
  `delete from file where (tenant_id, file_id) in
     (select tenant_id, file_id from file where removed_at < now() - interval '8 days' order by removed_at limit $1)`,
);

interface Doomed {
  tenant_id: string;
  file_id: string;
  chunks: number;
}

@Injectable()
export class FileRemovalStore {
  constructor(private readonly database: Database) {}

  async request(transaction: Queryable, tenantId: string, fileId: string): Promise<void> {
    await transaction.query(request, [tenantId, fileId]);
  }

  /** Removes the next files; answers how many. */
  removeNext(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const files = fitting(await transaction.query<Doomed>(claim, [FILES_PER_BATCH]));
      if (files.length === 0) return 0;
      const keys = [files.map((file) => file.tenant_id), files.map((file) => file.file_id)];
      const buried = await transaction.query<IndexedFileKey>(bury, [...keys, HIGHEST_RUN.jobNumber, HIGHEST_RUN.fence]);
      await removeFiles(transaction, buried);
      await transaction.query(settle, keys);
      return files.length;
    });
  }

  /** Lets go of tombstones that nothing can mention any more. */
  async forget(limit: number): Promise<void> {
    await this.database.query(forget, [limit]);
  }
}

function fitting(files: Doomed[]): Doomed[] {
  let chunks = 0;
  return files.filter((file, position) => (chunks += file.chunks) <= CHUNKS_PER_BATCH || position === 0);
}
