// Replaces the index of one file in one transaction: searches see the old chunks or the new ones, never a mixture.
//
// The file's row is the only lock that a writer takes, so writers of one tenant wait for each other only over the same file.
import { superseded, type ChunkLine } from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { facetsOf, type FileProperties } from '../domain/facet.js';
import { chunkPassage, titlePassage } from '../domain/passage.js';
import { compareRuns, type Run } from '../domain/run.js';
import { encodeTail, type PlacedPassage } from '../domain/tail-data.js';
import { describeFile, insertPart, lockFile, registerFile } from './index.statements.js';
import { lockRefusals } from './refused-run.store.js';
import { removeFiles } from './remove-passages.js';

export interface IndexedFile extends FileProperties {
  tenantId: string;
  fileId: string;
  run: Run;
  filename: string;
  title: string | null;
}

export interface Replaced {
  /** Chunks of the file. */
  chunks: number;
  /** Passages in the tenant's tail; counted no further than it takes to know that they are many. */
  waiting: number;
}

interface Write {
  transaction: Transaction;
  file: IndexedFile;
}

interface Totals {
  chunks: number;
  chunkLength: number;
  titles: number;
  titleLength: number;
}

const TAIL_ROWS_COUNTED_MAX = 256;

@Injectable()
export class IndexStore {
  constructor(private readonly database: Database) {}

  /**
   * A repeat of the run that stands changes nothing and reads no batch. Throws SUPERSEDED when a later run's index stands, or the
   * run is refused.
   */
  async replace(file: IndexedFile, batches: AsyncIterable<ChunkLine[]>): Promise<Replaced> {
    const { tenantId, fileId, run } = file;
    return this.database.transaction(async (transaction) => {
      const write: Write = { transaction, file };
      const registered = await transaction.query(registerFile, [tenantId, fileId, run.jobNumber]);
      if (registered.length === 0) {
        const standing = await lockStanding(write);
        if (standing.order === 0) return { chunks: standing.chunks, waiting: 0 };
        if (standing.order < 0) throw superseded('A later run has already indexed this file, or the file was deleted.');
        await removeFiles(transaction, [{ tenantId, fileId, chunks: standing.chunks }]);
      }
      const { chunks, totals } = await insertAll(write, batches);
      await transaction.query(lockRefusals, [fileId]);
      const key = [tenantId, fileId, run.jobId, run.fence];
      const values = [chunks, ...columnsOf(totals), TAIL_ROWS_COUNTED_MAX, run.jobNumber];
      const [described] = await transaction.query<{ waiting: number }>(describeFile, [...key, ...values]);
      if (!described) throw superseded('The job of this run was cancelled.');
      return { chunks, waiting: described.waiting };
    });
  }
}

const columnsOf = ({ chunks, chunkLength, titles, titleLength }: Totals) => [chunks, chunkLength, titles, titleLength];

/** How the run to be written compares with the one whose index stands; the file's row is locked from here on. */
async function lockStanding({ transaction, file }: Write): Promise<{ order: number; chunks: number }> {
  const [row] = await transaction.query<{ job_number: number; fence: number; chunks: number }>(lockFile, [
    file.tenantId,
    file.fileId,
  ]);
  if (!row) throw new Error('the row of a registered file is gone');
  return { order: compareRuns(file.run, { jobNumber: row.job_number, fence: row.fence }), chunks: row.chunks };
}

/** The title is in the first row of the tail, with the first batch of chunks, or alone. */
async function insertAll(
  write: Write,
  batches: AsyncIterable<ChunkLine[]>,
): Promise<{ chunks: number; totals: Totals }> {
  const { file } = write;
  const sum: Totals = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
  let passages: PlacedPassage[] = [{ place: 0, passage: titlePassage(file.title, file.filename) }];
  let chunks = 0;
  let part = 0;
  for await (const batch of batches) {
    for (const { index, text } of batch) passages.push({ place: index + 1, passage: chunkPassage(text) });
    chunks += batch.length;
    await insertBatch(write, part++, batch, passages, sum);
    passages = [];
  }
  if (part === 0) await insertBatch(write, part, [], passages, sum);
  return { chunks, totals: sum };
}

async function insertBatch(
  { transaction, file }: Write,
  part: number,
  batch: readonly ChunkLine[],
  passages: readonly PlacedPassage[],
  sum: Totals,
): Promise<void> {
  const totals = totalsOf(passages);
  for (const key of Object.keys(totals) as (keyof Totals)[]) sum[key] += totals[key];
  const data = encodeTail(passages, part === 0 ? facetsOf(file) : []);
  const lastPlace = passages.at(-1)?.place ?? 0;
  const tail = [file.tenantId, file.fileId, part, lastPlace, ...columnsOf(totals), data];
  await transaction.query(insertPart, [
    ...tail,
    batch.map((chunk) => chunk.index),
    batch.map((chunk) => chunk.text),
    batch.map((chunk) => chunk.start),
    batch.map((chunk) => chunk.end),
    batch.map((chunk) => chunk.page),
    batch.map((chunk) => JSON.stringify(chunk.heading_path)),
  ]);
}

/** Counts what has terms: an empty chunk is no passage to be found. */
function totalsOf(passages: readonly PlacedPassage[]): Totals {
  const totals: Totals = { chunks: 0, chunkLength: 0, titles: 0, titleLength: 0 };
  for (const { place, passage } of passages) {
    if (passage.length === 0) continue;
    totals[place === 0 ? 'titles' : 'chunks']++;
    totals[place === 0 ? 'titleLength' : 'chunkLength'] += passage.length;
  }
  return totals;
}
