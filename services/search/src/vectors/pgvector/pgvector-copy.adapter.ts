// Keeps the tables of pgvector in step with the vectors. Batches of changes are applied one by one, each in its own transaction, by the process
// that was the last to claim the copy. A process that stops leaves a copy that the next one continues.
import type { Database } from '@kiln/platform';
import { pause } from '@kiln/resilience';
import { randomUUID } from 'node:crypto';
import { SCALE_BYTES, codedBytes } from '../vector-codes.domain.js';
import type { Changes, FileChange, VectorFeed } from '../vector-feed.store.js';
import type { VectorSet } from '../vector-index.port.js';
import { lockTables, statementsOf } from './pgvector.statements.js';

const OTHER_WRITER_MS = 200;

export class PgVectorCopy {
  private readonly created = new Map<number, Promise<void>>();

  constructor(
    private readonly database: Pick<Database, 'query' | 'transaction'>,
    private readonly feed: Pick<VectorFeed, 'changes'>,
  ) {}

  /** Returns once the copy has all changes that `set` knows. */
  async update(set: VectorSet): Promise<void> {
    await this.create(set.dimensions);
    while ((await this.generationOf(set)) < set.generation) {
      const isDone = await this.takeOver(set);
      // Another process has become the writer. It continues where this one stopped.
      if (!isDone) await pause(OTHER_WRITER_MS);
    }
  }

  /**
   * A read after the claim is at least as new as what an earlier writer has applied. Returns false when a later writer has claimed the
   * copy.
   */
  private async takeOver(set: VectorSet): Promise<boolean> {
    const { tenantId, model, dimensions } = set;
    const writer = randomUUID();
    const values = [tenantId, model, writer];
    const rows = await this.database.query<{ generation: number }>(statementsOf(dimensions).claim, values);
    for await (const changes of this.feed.changes(set, rows[0]?.generation ?? 0)) {
      if (!(await this.apply(set, writer, changes))) return false;
    }
    return true;
  }

  private create(dimensions: number): Promise<void> {
    let created = this.created.get(dimensions);
    if (created) return created;
    created = this.database.transaction(async (transaction) => {
      await transaction.query(lockTables);
      for (const create of statementsOf(dimensions).create) await transaction.query(create);
    });
    this.created.set(dimensions, created);
    created.catch(() => this.created.delete(dimensions));
    return created;
  }

  private apply(set: VectorSet, writer: string, { isReset, files, generation }: Changes): Promise<boolean> {
    const { tenantId, model, dimensions } = set;
    const { deleteAll, deleteFiles, insertVectors, writeGeneration } = statementsOf(dimensions);
    return this.database.transaction(async (transaction) => {
      const written = await transaction.query(writeGeneration, [tenantId, model, writer, generation]);
      if (written.length === 0) return false;
      if (isReset) await transaction.query(deleteAll, [tenantId, model]);
      await transaction.query(deleteFiles, [tenantId, model, files.map(({ fileId }) => fileId)]);
      for (const file of files) {
        for (const values of rowsOf(file, dimensions)) {
          await transaction.query(insertVectors, [tenantId, model, ...values]);
        }
      }
      return true;
    });
  }

  private async generationOf({ tenantId, model, dimensions }: VectorSet): Promise<number> {
    const { readGeneration } = statementsOf(dimensions);
    const rows = await this.database.query<{ generation: number }>(readGeneration, [tenantId, model]);
    return rows[0]?.generation ?? 0;
  }
}

function* rowsOf({ fileId, jobNumber, fence, facets, parts }: FileChange, dimensions: number): Generator<unknown[]> {
  for (const { firstIndex, codes } of parts) {
    const vectors: string[] = [];
    for (let at = 0; at < codes.length; at += codedBytes(dimensions)) vectors.push(vectorText(codes, at, dimensions));
    yield [fileId, jobNumber, fence, facets, firstIndex, vectors];
  }
}

/** The coded vector is precise enough, because exact vectors decide the order of the results. The scale does not change a cosine. */
function vectorText(codes: Buffer, at: number, dimensions: number): string {
  const numbers = new Int8Array(codes.buffer, codes.byteOffset + at + SCALE_BYTES, dimensions);
  return `[${numbers.join(',')}]`;
}
