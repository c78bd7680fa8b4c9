// How far a batch is, from its files as they are now: one that is processed again counts as in progress again.
import {
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { BatchStore, type BatchFileRow } from '../store/batch.store.js';

type GetBatchOperation = (typeof filesOperations)['getBatch'];

/** Nothing more happens to a file that is stored without processing. */
function isCompleted({ status, job_id: jobId }: BatchFileRow): boolean {
  return status === 'completed' || (status === 'uploaded' && jobId === null);
}

export class ReadBatch {
  constructor(private readonly batches: BatchStore) {}

  async execute(
    { id }: OperationInput<GetBatchOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<GetBatchOperation>> {
    const files = await this.batches.files(tenantId, uuidOf('batch', id));
    if (!files) throw notFound('No batch has this id.');
    const completed = files.filter(isCompleted).length;
    const failed = files.filter(({ status }) => status === 'failed').length;
    return {
      id,
      total: files.length,
      completed,
      failed,
      in_progress: files.length - completed - failed,
      files: files.map((file) => ({ id: encodeId('file', file.id), status: file.status })),
    };
  }
}
