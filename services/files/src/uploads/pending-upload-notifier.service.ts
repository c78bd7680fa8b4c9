import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FIRST_CHECK_SECONDS } from './new-file.store.js';

@Injectable()
export class PendingUploadNotifier extends WorkNotifier {
  /** Wakes the worker when the first check of a new upload is due. */
  expectUpload(): void {
    this.wakeUp(FIRST_CHECK_SECONDS * 1_000);
  }
}
