import type { Transaction } from '@kiln/platform';
import { deleteVectors } from '../vectors/write-vectors.store.js';
import { deleteChunks, removePassages } from './remove.statements.js';

export interface IndexedFileKey {
  tenantId: string;
  fileId: string;
  chunks: number;
}

/** A statement has a deadline, and a file may have 100,000 chunks. */
const CHUNKS_PER_DELETE = 2_000;

/**
 * Removes the files from the index. The caller must have locked their rows, must update these afterwards, and must record at last that their
 * vectors are removed or replaced.
 */
export async function removeFiles(transaction: Transaction, files: readonly IndexedFileKey[]): Promise<void> {
  await transaction.query(removePassages, [files.map((file) => file.tenantId), files.map((file) => file.fileId)]);
  for (const { tenantId, fileId, chunks } of files) {
    for (let first = 0; first < chunks; first += CHUNKS_PER_DELETE) {
      await transaction.query(deleteChunks, [tenantId, fileId, first, first + CHUNKS_PER_DELETE - 1]);
    }
    if (chunks > 0) await deleteVectors(transaction, tenantId, fileId);
  }
}
