// Removes deleted files from the index, many in one transaction. It locks the rows of the files in the order of their keys, as the
// writers of several files do. IndexStore locks one file only. So these transactions cannot deadlock.
import { Database, statement, type Queryable, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { HIGHEST_RUN } from '../indexing/run.domain.js';
import { forgetRemovals, recordFiles } from '../vectors/write-vectors.store.js';
import { removeFiles, type IndexedFileKey } from '../text-index/remove-passages.store.js';

const FILES_PER_BATCH = 200;
/** Chunks that one transaction removes, unless a single file has more. */
const CHUNKS_PER_BATCH = 2_000;

/** Hot: one for each deleted file, in the transaction of the event. */
const request = statement(
  'search.request_removal',
  'insert into file_removals (tenant_id, file_id) values ($1, $2) on conflict do nothing',
);
/** A claim: skips requests that another worker has locked. */
const lockRequests = statement(
  'search.lock_removal_requests',
  `select r.tenant_id, r.file_id,
          coalesce((select f.chunks from files f where f.tenant_id = r.tenant_id and f.file_id = r.file_id), 0) as chunks
     from file_removals r order by r.requested_at limit $1 for update skip locked`,
);
/** Set-based. $1 tenants, $2 files, $3 and $4 the highest possible run. */
const writeTombstones = statement(
  'search.write_tombstones',
  `insert into files (tenant_id, file_id, job_number, fence, removed_at)
   select tenant_id, file_id, $3, $4, now() from unnest($1::uuid[], $2::uuid[]) as r (tenant_id, file_id) order by 1, 2
   on conflict (tenant_id, file_id) do update
     set job_number = excluded.job_number, fence = excluded.fence, removed_at = excluded.removed_at
   returning tenant_id as "tenantId", file_id as "fileId", chunks`,
);
/** Set-based: resets the files' rows to an empty index. $1 tenants, $2 files. */
export const clearFiles = statement(
  'search.clear_files',
  `update files set first_number = null, chunks = 0, found_chunks = 0, chunk_length = 0, titles = 0, title_length = 0, title_text = null,
                   language = null
    where (tenant_id, file_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
);
/** Set-based. */
const deleteRequests = statement(
  'search.delete_removal_requests',
  `delete from file_removals r using unnest($1::uuid[], $2::uuid[]) as done (tenant_id, file_id)
    where r.tenant_id = done.tenant_id and r.file_id = done.file_id`,
);
/** Set-based: a batch of the oldest tombstones. */
const deleteTombstones = statement(
  'search.delete_expired_tombstones',
  `delete from files where (tenant_id, file_id) in
     (select tenant_id, file_id from files where removed_at < now() - interval '8 days' order by removed_at limit $1)`,
);

interface RequestedRemoval {
  tenant_id: string;
  file_id: string;
  chunks: number;
}

@Injectable()
export class FileRemovalStore {
  constructor(private readonly database: Database) {}

  /** Removes the file soon after `transaction` commits. Later writes of the file are refused. */
  async remove(transaction: Queryable, tenantId: string, fileId: string): Promise<void> {
    await transaction.query(request, [tenantId, fileId]);
  }

  /** Removes the next batch of files. Returns the number of removed passages of each tenant that has one of the files. */
  removeNext(): Promise<ReadonlyMap<string, number>> {
    return this.database.transaction(async (transaction) => {
      const files = firstBatch(await transaction.query<RequestedRemoval>(lockRequests, [FILES_PER_BATCH]));
      if (files.length === 0) return new Map();
      const keys = [files.map((file) => file.tenant_id), files.map((file) => file.file_id)];
      const highestRun = [HIGHEST_RUN.jobNumber, HIGHEST_RUN.fence];
      const deleted = await transaction.query<IndexedFileKey>(writeTombstones, [...keys, ...highestRun]);
      await removeFiles(transaction, deleted);
      await transaction.query(clearFiles, keys);
      await transaction.query(deleteRequests, keys);
      await recordRemoved(transaction, deleted);
      return passagesByTenant(deleted);
    });
  }

  /** Deletes tombstones so old that no event and no run can refer to their files any more. */
  async deleteExpiredTombstones(limit: number): Promise<void> {
    await this.database.query(deleteTombstones, [limit]);
  }

  /** Deletes records of removed vectors that all processes have read by now. */
  async forgetRemovedVectors(limit: number): Promise<void> {
    await this.database.query(forgetRemovals, [limit]);
  }
}

/** Records tenants in the order of their ids: see recordFiles. */
async function recordRemoved(transaction: Transaction, files: readonly IndexedFileKey[]): Promise<void> {
  const byTenant = Map.groupBy(files, ({ tenantId }) => tenantId);
  for (const [tenantId, removed] of [...byTenant].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const vectors = removed.map(({ fileId }) => ({ fileId, run: HIGHEST_RUN, embedding: null, facets: [], chunks: 0 }));
    await recordFiles(transaction, tenantId, vectors);
  }
}

/** A file has a title and its chunks. */
function passagesByTenant(files: readonly IndexedFileKey[]): ReadonlyMap<string, number> {
  const passages = new Map<string, number>();
  for (const { tenantId, chunks } of files) passages.set(tenantId, (passages.get(tenantId) ?? 0) + chunks + 1);
  return passages;
}

function firstBatch(files: RequestedRemoval[]): RequestedRemoval[] {
  let chunks = 0;
  return files.filter((file, position) => (chunks += file.chunks) <= CHUNKS_PER_BATCH || position === 0);
}
