// Replaces the index of one file in one transaction: searches see the old chunks or the new ones, never a mixture.
//
// A writer locks the file's row and nothing else of the tenant, so writers wait for each other only when they write the same file.
import { superseded, unavailable, type ChunkLine } from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { compareRuns } from '../indexing/run.domain.js';
import { addTotals, columnsOf, noTotals, tailPart, type TailPart, type Totals } from './tail-part.domain.js';
import { titleText } from '../analysis/domain/passage.js';
import { numberArray, textArray } from '../array-literal.rows.js';
import type { FileEntity } from './file.entity.js';
import { updateFile, insertPart, lockFile, registerWrite } from './index.statements.js';
import { lockRefusals } from '../cancellation/run-fence.store.js';
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

export const TAIL_ROWS_COUNTED_MAX = 512;

export class IndexStore {
  constructor(private readonly database: Database) {}

  /**
   * When this run has already indexed the file, changes nothing and reads no batch, unless `again`. Throws SUPERSEDED when a later run has
   * indexed the file, or the run is refused.
   */
  async replace(file: IndexedFile, batches: ChunkBatches, again = false): Promise<Replaced> {
    const { tenantId, fileId, run } = file;
    await this.database.query(registerWrite, [tenantId, fileId, file.language]);
    return this.database.transaction(async (transaction) => {
      const write: Write = { transaction, file };
      const current = await lockCurrent(write);
      if (current.order === 0 && !again) return { chunks: current.chunks, unmerged: 0 };
      if (current.order < 0) throw superseded('A later run has already indexed this file, or the file was deleted.');
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
}

/** Locks the file's row. Returns how the run compares with the one that wrote the current index, and the count of its chunks. */
async function lockCurrent({ transaction, file }: Write): Promise<{ order: number; chunks: number }> {
  const [row] = await transaction.query<Pick<FileEntity, 'job_number' | 'fence' | 'chunks'>>(lockFile, [
    file.tenantId,
    file.fileId,
  ]);
  if (!row) throw unavailable('The index of the file', new Error('The row of the file was deleted concurrently.'));
  return { order: compareRuns(file.run, { jobNumber: row.job_number, fence: row.fence }), chunks: row.chunks };
}

/** A file without chunks is still found by its title and name. While one batch is written, the next one is read and packed. */
async function insertAll(write: Write, batches: ChunkBatches): Promise<{ chunks: number; totals: Totals }> {
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
  const tail = [
    file.tenantId,
    file.fileId,
    part,
    lastPlace,
    ...columnsOf(totals),
    data,
    file.run.jobNumber,
    file.run.fence,
  ];
  await transaction.query(insertPart, [
    ...tail,
    numberArray(batch.map((chunk) => chunk.index)),
    textArray(batch.map((chunk) => chunk.text)),
    numberArray(batch.map((chunk) => chunk.start)),
    numberArray(batch.map((chunk) => chunk.end)),
    numberArray(batch.map((chunk) => chunk.page)),
    textArray(batch.map((chunk) => JSON.stringify(chunk.heading_path))),
    textArray(batch.map(({ lines = [] }) => numberArray(lines))),
  ]);
  const { tenantId, fileId, embedding } = file;
  if (embedding) await insertVectors(transaction, tenantId, [{ fileId, embedding, chunks: batch }]);
}
