// Vectors of another model, beside those that searches use. They belong to one version of their file: a file that is indexed again or deleted
// loses them.
import type { ChunkLine } from '@kiln/contracts';
import { Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { bytesArray, numberArray } from '../array-literal.rows.js';
import type { RunOrder } from '../indexing/run.domain.js';
import { lockFile, type LockedVersion } from '../text-index/lock-file.statement.js';
import type { Embedding } from '../text-index/indexed-text.domain.js';
import { vectorParts } from './vector-codes.domain.js';
import { deleteVectors, recordFiles } from './write-vectors.store.js';
import * as sql from './staged-vectors.statements.js';

/** A version of a file whose chunks are embedded. */
export interface StagedFile extends Embedding {
  tenantId: string;
  fileId: string;
  run: RunOrder;
}

interface VersionToEmbed extends LockedVersion {
  /** Searches use vectors of the model. */
  isCurrent: boolean;
  /** All vectors are staged. */
  isStaged: boolean;
}

/** Some 16 MB of vectors. */
const PARTS_PER_COPY = 64;

@Injectable()
export class StagedVectorsStore {
  constructor(private readonly database: Database) {}

  /** Null when the file is not indexed. */
  async find(tenantId: string, fileId: string, { model, dimensions }: Embedding): Promise<VersionToEmbed | null> {
    const [version] = await this.database.query<VersionToEmbed>(sql.readVersion, [tenantId, fileId, model, dimensions]);
    return version ?? null;
  }

  /** Returns how many vectors an earlier call has staged, from the first chunk on. */
  async begin(file: StagedFile, facets: readonly string[]): Promise<number> {
    const [row] = await this.database.query<{ staged: number }>(sql.beginStaging, [...keyOf(file), facets]);
    return row?.staged ?? 0;
  }

  /** The chunks must be consecutive. */
  async add(file: StagedFile, chunks: readonly ChunkLine[]): Promise<void> {
    const parts = vectorParts(chunks, file.dimensions);
    await this.database.query(sql.insertStagedParts, [
      ...keyOf(file),
      numberArray(parts.map(({ firstIndex }) => firstIndex)),
      bytesArray(parts.map(({ vectors }) => vectors)),
      bytesArray(parts.map(({ codes }) => codes)),
    ]);
  }

  /** Returns false, and discards the vectors, unless there is one for each chunk of the file as it is now. */
  async complete(file: StagedFile, chunks: number, places: string): Promise<boolean> {
    const completed = await this.database.query(sql.completeStaging, [...keyOf(file), chunks, places]);
    if (completed.length > 0) return true;
    await this.discard(file);
    return false;
  }

  async discard(file: StagedFile): Promise<void> {
    await this.database.query(sql.discardStaged, keyOf(file));
  }

  /** Replaces the vectors that searches use by the staged ones. Returns false when there are none for the current version. */
  switch(tenantId: string, fileId: string, model: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const version = await lockFile(transaction, tenantId, fileId);
      if (!version) return false;
      const { chunks, ...run } = version;
      const key = [tenantId, fileId, model, run.jobNumber, run.fence, chunks];
      const [staged] = await transaction.query<{ dimensions: number; facets: string[] }>(sql.readStaged, key);
      if (!staged) return false;
      const { dimensions, facets } = staged;
      await deleteVectors(transaction, tenantId, fileId);
      await copyParts(transaction, { tenantId, fileId, model, dimensions, run });
      await transaction.query(sql.discardAllStaged, [[tenantId], [fileId]]);
      const embedding = { model, dimensions };
      await recordFiles(transaction, tenantId, [{ fileId, run, embedding, facets, chunks }]);
      return true;
    });
  }
}

const keyOf = ({ tenantId, fileId, model, dimensions, run }: StagedFile) => [
  tenantId,
  fileId,
  model,
  dimensions,
  run.jobNumber,
  run.fence,
];

async function copyParts(transaction: Transaction, file: StagedFile): Promise<void> {
  for (let last = -1; ;) {
    const values = [...keyOf(file), last, PARTS_PER_COPY];
    const copied = await transaction.query<{ first_index: number }>(sql.copyStagedParts, values);
    if (copied.length < PARTS_PER_COPY) return;
    last = Math.max(...copied.map(({ first_index: index }) => index));
  }
}
