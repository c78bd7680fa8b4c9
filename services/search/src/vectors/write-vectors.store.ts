// Writes and removes vectors in the transaction that writes or removes the chunks of the same files. The rows of these files must be locked.
import type { ChunkLine } from '@kiln/contracts';
import type { Transaction } from '@kiln/platform';
import { bytesArray, numberArray, textArray } from '../array-literal.rows.js';
import type { RunOrder } from '../indexing/run.domain.js';
import type { Embedding } from '../text-index/indexed-text.domain.js';
import { vectorParts } from './vector-codes.domain.js';
import { deleteVectorParts, insertVectorParts, recordVectors } from './write-vectors.statements.js';

export interface VectorsOfFile {
  fileId: string;
  run: RunOrder;
  /** Null: the file has no vectors. */
  embedding: Embedding | null;
  facets: readonly string[];
  /** Chunks of the file. */
  chunks: number;
}

const PARTS_PER_DELETE = 64;

/** Throws BAD_REQUEST when a chunk has no vector. */
export async function insertVectors(
  transaction: Transaction,
  tenantId: string,
  files: readonly { fileId: string; embedding: Embedding; chunks: readonly ChunkLine[] }[],
): Promise<void> {
  const parts = files.flatMap(({ fileId, embedding, chunks }) =>
    vectorParts(chunks, embedding.dimensions).map((part) => ({ fileId, ...part })),
  );
  if (parts.length === 0) return;
  await transaction.query(insertVectorParts, [
    tenantId,
    textArray(parts.map(({ fileId }) => fileId)),
    numberArray(parts.map(({ firstIndex }) => firstIndex)),
    bytesArray(parts.map(({ vectors }) => vectors)),
    bytesArray(parts.map(({ codes }) => codes)),
  ]);
}

export async function deleteVectors(transaction: Transaction, tenantId: string, fileId: string): Promise<void> {
  for (;;) {
    const deleted = await transaction.query(deleteVectorParts, [tenantId, fileId, PARTS_PER_DELETE]);
    if (deleted.length < PARTS_PER_DELETE) return;
  }
}

/**
 * Records which vectors the files have now. It must be the transaction's last statement: until the commit, it delays other writers of
 * vectors of the tenant. A transaction for several tenants records them in the order of their ids.
 */
export async function recordFiles(
  transaction: Transaction,
  tenantId: string,
  files: readonly VectorsOfFile[],
): Promise<void> {
  if (files.length === 0) return;
  const counts = files.map(({ embedding, chunks }) => (embedding === null ? 0 : chunks));
  await transaction.query(recordVectors, [
    tenantId,
    textArray(files.map(({ fileId }) => fileId)),
    textArray(files.map(({ embedding }) => embedding?.model ?? '')),
    numberArray(files.map(({ embedding }) => embedding?.dimensions ?? 0)),
    numberArray(counts),
    textArray(files.map(({ facets }) => JSON.stringify(facets))),
    numberArray(files.map(({ run }) => run.jobNumber)),
    numberArray(files.map(({ run }) => run.fence)),
  ]);
}
