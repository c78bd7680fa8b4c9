// Reads the progress of a batch, which follows from the current status of its files: a file that is processed again counts as in
// progress again.
import {
  BATCH_FILES_LISTED_MAX,
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { BatchStore } from './batch.store.js';

@Injectable()
export class ReadBatch {
  constructor(private readonly batches: BatchStore) {}

  async execute({ id }: FilesInput<'getBatch'>, { tenantId }: CallContext): Promise<FilesOutput<'getBatch'>> {
    const batchId = uuidOf('batch', id);
    const batch = await this.batches.find(tenantId, batchId, BATCH_FILES_LISTED_MAX);
    if (!batch) throw notFound('No batch has this id.');
    const { total, completed, failed, cancelled, isGrowing, files } = batch;
    return {
      id,
      total,
      completed,
      failed,
      cancelled,
      in_progress: total - completed - failed - cancelled,
      rest: isGrowing ? 'follows' : 'none',
      files: files.map((file) => ({ id: encodeId('file', file.id), status: file.status })),
    };
  }
}
