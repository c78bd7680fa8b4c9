// Locks a file of the index. Every change of its index and of its vectors does.
import { statement, type Queryable } from '@kiln/platform';
import type { RunOrder } from '../indexing/run.domain.js';
import type { FileEntity } from './file.entity.js';

const lock = statement(
  'search.lock_file',
  `select job_number, fence, chunks from files where tenant_id = $1 and file_id = $2 for update`,
);

export interface LockedVersion {
  /** The run that wrote the index. */
  run: RunOrder;
  chunks: number;
}

/** Locks the file's row until the end of the transaction. Null when it has none. */
export async function lockFile(
  transaction: Queryable,
  tenantId: string,
  fileId: string,
): Promise<LockedVersion | null> {
  const [row] = await transaction.query<Pick<FileEntity, 'job_number' | 'fence' | 'chunks'>>(lock, [tenantId, fileId]);
  return row ? { run: { jobNumber: row.job_number, fence: row.fence }, chunks: row.chunks } : null;
}
