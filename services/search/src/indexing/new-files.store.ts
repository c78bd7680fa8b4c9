// Writes small new files together, in one statement, and their vectors in the same transaction. A file is new when it has no row. The statement skips files that have one, and
// IndexStore then writes those one by one. A file with a refused run always has a row: see run-fence.store.ts.
//
// The rows of files are locked in the order of their ids, as removals lock them. A writer of one file locks one row. So these transactions
// cannot deadlock.
import type { ChunkLine } from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { tailPart, type TailPart } from './tail-part.domain.js';
import { titleText } from '../analysis/domain/passage.js';
import { numberArray, textArray } from '../array-literal.rows.js';
import { writeNewFiles } from './new-files.statements.js';
import { insertVectors, recordFiles } from '../vectors/write-vectors.store.js';
import { TAIL_ROWS_COUNTED_MAX, vectorsOf, type IndexedFile } from './index.store.js';

export interface NewFile {
  file: IndexedFile;
  chunks: readonly ChunkLine[];
}

export interface NewFilesWritten {
  fileIds: ReadonlySet<string>;
  /** As in Replaced. */
  unmerged: number;
}

interface Prepared extends NewFile {
  tail: TailPart;
}

interface Row {
  written: string[];
  unmerged: number;
}

@Injectable()
export class NewFilesStore {
  constructor(private readonly database: Database) {}

  /** The files must be distinct and belong to this tenant. */
  async write(tenantId: string, files: readonly NewFile[]): Promise<NewFilesWritten> {
    const prepared = files.map(({ file, chunks }): Prepared => ({ file, chunks, tail: tailPart(file, 0, chunks) }));
    const row = files.some(({ file }) => file.embedding !== null)
      ? await this.writeWithVectors(tenantId, prepared)
      : await writeAll(this.database, tenantId, prepared);
    const fileIds = new Set(row?.written);
    const unmerged = prepared.reduce(
      (sum, { file, tail }) => sum + (fileIds.has(file.fileId) ? passagesOf(tail) : 0),
      row?.unmerged ?? 0,
    );
    return { fileIds, unmerged };
  }

  private writeWithVectors(tenantId: string, files: readonly Prepared[]): Promise<Row | undefined> {
    return this.database.transaction(async (transaction) => {
      const row = await writeAll(transaction, tenantId, files);
      const isWritten = new Set(row?.written);
      const written = files.filter(({ file }) => isWritten.has(file.fileId));
      const embedded = written.flatMap(({ file: { fileId, embedding }, chunks }) =>
        embedding === null ? [] : [{ fileId, embedding, chunks }],
      );
      await insertVectors(transaction, tenantId, embedded);
      const vectors = written.map(({ file, chunks }) => vectorsOf(file, chunks.length));
      await recordFiles(transaction, tenantId, vectors);
      return row;
    });
  }
}

async function writeAll(database: Queryable, tenantId: string, files: readonly Prepared[]): Promise<Row | undefined> {
  const [row] = await database.query<Row>(writeNewFiles, [
    tenantId,
    ...valuesOf(files),
    TAIL_ROWS_COUNTED_MAX,
    textArray(files.map(({ file }) => titleText(file.title, file.filename))),
    textArray(files.map(({ file }) => file.language)),
  ]);
  return row;
}

/** Counts as merges do: a file without terms is one passage. */
const passagesOf = ({ totals }: TailPart) => Math.max(totals.chunks + totals.titles, 1);

function valuesOf(files: readonly Prepared[]): unknown[] {
  const chunks = files.flatMap(({ file, chunks: some }) => some.map((chunk) => ({ ...chunk, fileId: file.fileId })));
  return [
    textArray(files.map(({ file }) => file.fileId)),
    numberArray(files.map(({ file }) => file.run.jobNumber)),
    numberArray(files.map(({ file }) => file.run.fence)),
    numberArray(files.map(({ chunks: some }) => some.length)),
    numberArray(files.map(({ tail }) => tail.totals.chunks)),
    numberArray(files.map(({ tail }) => tail.totals.chunkLength)),
    numberArray(files.map(({ tail }) => tail.totals.titles)),
    numberArray(files.map(({ tail }) => tail.totals.titleLength)),
    textArray(files.map(({ tail }) => tail.data)),
    textArray(chunks.map((chunk) => chunk.fileId)),
    numberArray(chunks.map((chunk) => chunk.index)),
    textArray(chunks.map((chunk) => chunk.text)),
    numberArray(chunks.map((chunk) => chunk.start)),
    numberArray(chunks.map((chunk) => chunk.end)),
    numberArray(chunks.map((chunk) => chunk.page)),
    textArray(chunks.map((chunk) => JSON.stringify(chunk.heading_path))),
  ];
}
