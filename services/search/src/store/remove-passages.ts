import type { Transaction } from '@kiln/platform';
import { deleteChunks, removePassages } from './remove.statements.js';

export interface IndexedFileKey {
  tenantId: string;
  fileId: string;
  chunks: number;
}

/** A statement has a deadline; a file may have a hundred thousand chunks. */
const CHUNKS_PER_DELETE = 2_000;

/** Takes all of these files out of the index, but for their rows, which must be locked. */
export async function removeFiles(transaction: Transaction, files: readonly IndexedFileKey[]): Promise<void> {
  await transaction.query(removePassages, [files.map((file) => file.tenantId), files.map((file) => file.fileId)]);
  for (const { tenantId, fileId, chunks } of files) {
    for (let first = 0; first < chunks; first += CHUNKS_PER_DELETE) {
      await transaction.query(deleteChunks, [tenantId, fileId, first, first + CHUNKS_PER_DELETE - 1]);
    }
  }
}
