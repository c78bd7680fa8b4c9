// Empties the index of one file, and refuses what its former runs write afterwards.
import { statement, Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { clearFiles } from '../deletion/file-removal.store.js';
import { compareRuns, type RunOrder } from '../indexing/run.domain.js';
import { recordFiles } from '../vectors/write-vectors.store.js';
import type { FileEntity } from './file.entity.js';
import { lockFile, registerFile } from './index.statements.js';
import { removeFiles } from './remove-passages.store.js';

const setRun = statement(
  'search.set_run',
  'update files set job_number = $3, fence = $4 where tenant_id = $1 and file_id = $2',
);

@Injectable()
export class ClearIndexStore {
  constructor(private readonly database: Database) {}

  /** Changes nothing if a later run has indexed the file. Idempotent. */
  async clear(tenantId: string, fileId: string, run: RunOrder): Promise<void> {
    await this.database.query(registerFile, [tenantId, fileId]);
    await this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<Pick<FileEntity, 'job_number' | 'fence' | 'chunks'>>(lockFile, [
        tenantId,
        fileId,
      ]);
      if (!row || compareRuns(run, { jobNumber: row.job_number, fence: row.fence }) <= 0) return;
      await removeFiles(transaction, [{ tenantId, fileId, chunks: row.chunks }]);
      await transaction.query(clearFiles, [[tenantId], [fileId]]);
      await transaction.query(setRun, [tenantId, fileId, run.jobNumber, run.fence]);
      await recordFiles(transaction, tenantId, [{ fileId, run, embedding: null, facets: [], chunks: 0 }]);
    });
  }
}
