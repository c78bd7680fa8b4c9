import type { Transaction } from '@kiln/platform';
import { deleteChunks, removePassages } from './remove.statements.js';

export interface IndexedFileKey {
  tenantId: string;
  fileId: string;
  chunks: number;
}

/** A statement has a deadline, and a file may have 100,000 chunks. */
const CHUNKS_PER_DELETE = 2_000;

/** Removes the files from the index. The caller must have locked their rows, and must update these afterwards. */
export async function removeFiles(transaction: Transaction, files: readonly IndexedFileKey[]): Promise<void> {
  await transaction.query(removePassages, [files.map((file) => file.tenantId), files.map((file) => file.fileId)]);
  for (const { tenantId, fileId, chunks } of files) {
    for (let first = 0; first < chunks; first += CHUNKS_PER_DELETE) {
      await transaction.query(deleteChunks, [tenantId, fileId, first, first + CHUNKS_PER_DELETE - 1]);
    }
  }
}
