// Marks a file as failed when its job has failed, unless a newer run or job has taken over.
import type { Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FileJobStore, type FileRun } from './file-job.store.js';

@Injectable()
export class RecordFailure {
  constructor(private readonly jobs: FileJobStore) {}

  execute(transaction: Transaction, run: FileRun): Promise<void> {
    return this.jobs.markFailed(transaction, run);
  }
}
