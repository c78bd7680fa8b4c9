// Locks a file of the index. Every change of its index and of its vectors does.
import { statement, type Queryable } from '@kiln/platform';
import type { RunOrder } from '../indexing/run.domain.js';

const lock = statement(
  'search.lock_file',
  `select job_number as "jobNumber", fence, chunks from files where tenant_id = $1 and file_id = $2 for update`,
);

/** The run that wrote the index of a file, and the chunks. */
export interface LockedVersion extends RunOrder {
  chunks: number;
}

/** Locks the file's row until the end of the transaction. Null when it has none. */
export async function lockFile(
  transaction: Queryable,
  tenantId: string,
  fileId: string,
): Promise<LockedVersion | null> {
  const [version] = await transaction.query<LockedVersion>(lock, [tenantId, fileId]);
  return version ?? null;
}
