// A file was moved or renamed. Its jobs show the space and the name of their file.
import type { Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EditedFileStore, type EditedFile } from './edited-file.store.js';

@Injectable()
export class UpdateFileJobs {
  constructor(private readonly files: EditedFileStore) {}

  execute(transaction: Transaction, file: EditedFile): Promise<void> {
    return this.files.write(transaction, file);
  }
}
