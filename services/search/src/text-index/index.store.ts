// Replaces or empties the index of one file in one transaction: searches see the old chunks or the new ones, never a mixture.
//
// A writer locks the file's row and nothing else of the tenant, so writers wait for each other only when they write the same file.
import { superseded, unavailable, type ChunkLine } from '@kiln/contracts';
import { Database, statement, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { clearFiles } from '../deletion/file-removal.store.js';
import { compareRuns, type RunOrder } from '../indexing/run.domain.js';
import { addTotals, columnsOf, noTotals, tailPart, type TailPart } from './tail-part.domain.js';
import { titleText } from '../analysis/domain/passage.js';
import { chunkColumns } from './chunk-columns.rows.js';
import { lockFile } from './lock-file.statement.js';
import { updateFile, insertPart, registerFile, registerWrite } from './index.statements.js';
import { lockRefusals } from '../cancellation/run-fence.store.js';
import type { PassageTotals } from '../searching/domain/bm25.js';
import { removeFiles } from './remove-passages.store.js';
import type { ChunkBatches, IndexedFile } from './indexed-text.domain.js';
import { facetsOf } from '../postings/domain/facet.js';
import { insertVectors, recordFiles, type VectorsOfFile } from '../vectors/write-vectors.store.js';

/** The vectors to write for a file with this many chunks. */
export const vectorsOf = (file: IndexedFile, chunks: number): VectorsOfFile => ({
  fileId: file.fileId,
  run: file.run,
  embedding: file.embedding,
  facets: facetsOf(file),
  chunks,
});

export interface Replaced {
  /** Chunks of the file. */
  chunks: number;
  /** Passages in the tenant's tail. Only the first rows of the tail are counted, which suffices to detect a long one. */
  unmerged: number;
}

interface Write {
  transaction: Transaction;
  file: IndexedFile;
}

export const TAIL_ROWS_COUNTED_MAX = 1_024;

const setRun = statement(
  'search.set_run',
  'update files set job_number = $3, fence = $4 where tenant_id = $1 and file_id = $2',
);

@Injectable()
export class IndexStore {
  constructor(private readonly database: Database) {}

  /** As `TextIndex.replace`. */
  async replace(file: IndexedFile, batches: ChunkBatches, again = false): Promise<Replaced> {
    const { tenantId, fileId, run } = file;
    await this.database.query(registerWrite, [tenantId, fileId, file.language]);
    return this.database.transaction(async (transaction) => {
      const write: Write = { transaction, file };
      const current = await lockFile(transaction, tenantId, fileId);
      if (!current)
        throw unavailable('The index of the file', new Error('The row of the file was deleted concurrently.'));
      const order = compareRuns(run, current);
      if (order === 0 && !again) return { chunks: current.chunks, unmerged: 0 };
      if (order < 0) throw superseded('A later run has already indexed this file, or the file was deleted.');
      await removeFiles(transaction, [{ tenantId, fileId, chunks: current.chunks }]);
      const { chunks, totals } = await insertAll(write, batches);
      await transaction.query(lockRefusals, [fileId]);
      const key = [tenantId, fileId, run.jobId, run.fence];
      const values = [
        chunks,
        ...columnsOf(totals),
        TAIL_ROWS_COUNTED_MAX,
        run.jobNumber,
        titleText(file.title, file.filename),
        file.language,
      ];
      const [updated] = await transaction.query<{ unmerged: number }>(updateFile, [...key, ...values]);
      if (!updated) throw superseded('The job of this run was cancelled.');
      await recordFiles(transaction, tenantId, [vectorsOf(file, chunks)]);
      return { chunks, unmerged: updated.unmerged };
    });
  }

  /** Empties the index of a file, and refuses what earlier runs write. Changes nothing if a later run has indexed the file. Idempotent. */
  async clear(tenantId: string, fileId: string, run: RunOrder): Promise<void> {
    await this.database.query(registerFile, [tenantId, fileId]);
    await this.database.transaction(async (transaction) => {
      const current = await lockFile(transaction, tenantId, fileId);
      if (!current || compareRuns(run, current) <= 0) return;
      await removeFiles(transaction, [{ tenantId, fileId, chunks: current.chunks }]);
      await transaction.query(clearFiles, [[tenantId], [fileId]]);
      await transaction.query(setRun, [tenantId, fileId, run.jobNumber, run.fence]);
      await recordFiles(transaction, tenantId, [{ fileId, run, embedding: null, facets: [], chunks: 0 }]);
    });
  }
}

/** A file without chunks is still found by its title and name. While one batch is written, the next one is read and packed. */
async function insertAll(write: Write, batches: ChunkBatches): Promise<{ chunks: number; totals: PassageTotals }> {
  const sum = noTotals();
  let chunks = 0;
  let parts = 0;
  let inserted: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const part = tailPart(write.file, parts++, batch);
      addTotals(sum, part.totals);
      chunks += batch.length;
      await inserted;
      inserted = insertBatch(write, part, batch);
      // A failure is thrown where this promise is awaited, possibly after a long read. Until then it must not count as an unhandled
      // rejection.
      inserted.catch(() => {});
    }
  } finally {
    await inserted;
  }
  if (parts > 0) return { chunks, totals: sum };
  const part = tailPart(write.file, 0, []);
  await insertBatch(write, part, []);
  return { chunks, totals: part.totals };
}

async function insertBatch(
  { transaction, file }: Write,
  { part, lastPlace, totals, data }: TailPart,
  batch: readonly ChunkLine[],
): Promise<void> {
  await transaction.query(insertPart, [
    file.tenantId,
    file.fileId,
    part,
    lastPlace,
    ...columnsOf(totals),
    data,
    file.run.jobNumber,
    file.run.fence,
    ...chunkColumns(batch),
  ]);
  const { tenantId, fileId, embedding } = file;
  if (embedding) await insertVectors(transaction, tenantId, [{ fileId, embedding, chunks: batch }]);
}
