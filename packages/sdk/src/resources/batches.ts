import type { Schemas } from '../core/operation-types.js';
import { waitUntil, type WaitOptions } from '../core/wait.js';
import { Batches as GeneratedBatches } from '../generated/batches.js';
import { uploadBatch, type BatchEntry, type BatchUpload } from '../uploads/upload-batch.js';
import type { UploadOptions } from '../uploads/upload-options.js';

export class Batches extends GeneratedBatches {
  /**
   * Uploads at most 50 files as one batch, four at a time. A file that fails has an `error` in the result, and does not end the others.
   */
  upload(entries: readonly BatchEntry[], options: UploadOptions = {}): Promise<BatchUpload> {
    return uploadBatch(this.transport, (body, requestOptions) => this.create(body, requestOptions), entries, options);
  }

  /** Waits until no file of the batch is in progress or still to be added, and returns the batch. Throws KilnTimeoutError after `deadlineMs`. */
  waitFor(id: string, options: WaitOptions = {}): Promise<Schemas['GetBatchResponse']> {
    return waitUntil(
      (wait, requestOptions) => this.get(id, { wait }, requestOptions),
      (batch) => batch.in_progress === 0 && batch.rest !== 'follows',
      options,
    );
  }
}
