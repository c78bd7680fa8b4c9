// A job has ended in failure: so has its file, unless a newer run or job has taken over.
import type { Transaction } from '@kiln/platform';
import { FileStore, type Run } from '../store/file.store.js';

export class RecordFailure {
  constructor(private readonly files: FileStore) {}

  execute(transaction: Transaction, run: Run): Promise<void> {
    return this.files.failRun(transaction, run);
  }
}
