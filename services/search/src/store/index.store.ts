// Replaces the index of one file in one transaction: searches see the old chunks or the new ones, never a mixture.
//
// Locks are taken in one order, file → slot of the tenant's statistics, and a transaction touches one of each, so writers
// can wait for each other but never in a circle.
import { superseded, type ChunkLine } from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { chunkPassage, titlePassage, type Passage } from '../domain/passage.js';
import { compareRuns, type Run } from '../domain/run.js';
import {
  deleteChunks,
  deletePassages,
  describeFile,
  insertChunks,
  insertPassages,
  lastIndex,
  lockFile,
  registerFile,
} from './index.statements.js';
import { lockRefusals } from './refused-run.store.js';
import { slotOf, StatisticsDelta } from './statistics-delta.js';

export interface IndexedFile {
  tenantId: string;
  fileId: string;
  run: Run;
  space: string;
  filename: string;
  title: string | null;
  contentType: string | null;
  metadata: Readonly<Record<string, string>>;
}

interface Write {
  transaction: Transaction;
  file: IndexedFile;
  delta: StatisticsDelta;
}

interface IndexedPassage {
  index: number;
  passage: Passage;
}

const TITLE_INDEX = -1;
const CHUNKS_PER_DELETE = 2_000;

@Injectable()
export class IndexStore {
  constructor(private readonly database: Database) {}

  /**
   * Answers how many chunks the file has. A repeat of the run that stands changes nothing and reads no batch.
   * Throws SUPERSEDED when a later run's index stands, or the run is refused.
   */
  async replace(file: IndexedFile, batches: AsyncIterable<ChunkLine[]>): Promise<number> {
    const { tenantId, fileId, run } = file;
    return this.database.transaction(async (transaction) => {
      const delta = new StatisticsDelta(transaction, tenantId, slotOf(fileId));
      const write: Write = { transaction, file, delta };
      const registered = await transaction.query(registerFile, [tenantId, fileId, run.jobNumber]);
      if (registered.length === 0) {
        const standing = await lockStanding(write);
        if (standing.order === 0) return standing.chunks;
        if (standing.order < 0) throw superseded('A later run has already indexed this file, or the file was deleted.');
        await removePassages(write);
      }
      const chunks = await insertAll(write, batches);
      const { space, filename, title, contentType, metadata } = file;
      const description = [space, filename, title, contentType, JSON.stringify(metadata), chunks, run.jobNumber];
      await transaction.query(lockRefusals, [fileId]);
      const key = [tenantId, fileId, run.jobId, run.fence];
      const described = await transaction.query(describeFile, [...key, ...description]);
      if (described.length === 0) throw superseded('The job of this run was cancelled.');
      await delta.write();
      return chunks;
    });
  }
}

/** How the run to be written compares with the one whose index stands; the file's row is locked from here on. */
async function lockStanding({ transaction, file }: Write): Promise<{ order: number; chunks: number }> {
  const [row] = await transaction.query<{ job_number: number; fence: number; chunks: number }>(lockFile, [
    file.tenantId,
    file.fileId,
  ]);
  if (!row) throw new Error('the row of a registered file is gone');
  return { order: compareRuns(file.run, { jobNumber: row.job_number, fence: row.fence }), chunks: row.chunks };
}

/**
 * Takes all of a file out of the tables; its row must be locked. `bounded` writes statistics in between when there are many,
 * and so may lock the slot early; `collected` leaves all of that to the caller.
 */
export async function removePassages(
  { transaction, file, delta }: Omit<Write, 'file'> & { file: Pick<IndexedFile, 'tenantId' | 'fileId'> },
  statistics: 'bounded' | 'collected' = 'bounded',
): Promise<void> {
  const key = [file.tenantId, file.fileId];
  const [row] = await transaction.query<{ last: number }>(lastIndex, key);
  for (let first = TITLE_INDEX; first <= (row?.last ?? TITLE_INDEX); first += CHUNKS_PER_DELETE) {
    const range = [...key, first, first + CHUNKS_PER_DELETE - 1];
    const gone = await transaction.query<{
      term: string | null;
      passages: number;
      chunk_length: number;
      titles: number;
      title_length: number;
    }>(deletePassages, range);
    for (const { term, passages, chunk_length, titles, title_length } of gone) {
      if (term !== null) delta.addTerm(term, -passages);
      else {
        delta.addPassages({
          chunks: -passages,
          chunkLength: -chunk_length,
          titles: -titles,
          titleLength: -title_length,
        });
      }
    }
    await transaction.query(deleteChunks, range);
    if (statistics === 'bounded') await delta.writeIfLarge();
  }
}

async function insertAll(write: Write, batches: AsyncIterable<ChunkLine[]>): Promise<number> {
  const { file, delta } = write;
  const title = titlePassage(file.title, file.filename);
  let passages = title ? [{ index: TITLE_INDEX, passage: title }] : [];
  if (title) delta.addPassages({ titles: 1, titleLength: title.length });
  let chunks = 0;
  for await (const batch of batches) {
    chunks += batch.length;
    await insertTexts(write, batch);
    await insertPassagesOf(write, [...passages, ...passagesOf(batch, delta)]);
    passages = [];
    await delta.writeIfLarge();
  }
  await insertPassagesOf(write, passages);
  return chunks;
}

function passagesOf(batch: ChunkLine[], delta: StatisticsDelta): IndexedPassage[] {
  const passages: IndexedPassage[] = [];
  for (const { index, text } of batch) {
    const passage = chunkPassage(text);
    if (!passage) continue;
    delta.addPassages({ chunks: 1, chunkLength: passage.length });
    passages.push({ index, passage });
  }
  return passages;
}

async function insertTexts({ transaction, file }: Write, batch: ChunkLine[]): Promise<void> {
  await transaction.query(insertChunks, [
    file.tenantId,
    file.fileId,
    batch.map((chunk) => chunk.index),
    batch.map((chunk) => chunk.text),
    batch.map((chunk) => chunk.start),
    batch.map((chunk) => chunk.end),
    batch.map((chunk) => chunk.page),
    batch.map((chunk) => JSON.stringify(chunk.heading_path)),
  ]);
}

async function insertPassagesOf({ transaction, file, delta }: Write, passages: IndexedPassage[]): Promise<void> {
  if (passages.length === 0) return;
  for (const { passage } of passages) for (const lexeme of passage.lexemes) delta.addTerm(lexeme, 1);
  await transaction.query(insertPassages, [
    file.tenantId,
    file.fileId,
    file.space,
    passages.map(({ index }) => index),
    passages.map(({ passage }) => passage.length),
    passages.map(({ passage }) => passage.vector),
  ]);
}
