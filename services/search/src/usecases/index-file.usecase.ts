import {
  badRequest,
  unavailable,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { cleanRecord, cleanText, mediaType } from '../domain/clean-text.js';
import { IndexStore } from '../store/index.store.js';
import { MaintainIndex } from './maintain-index.usecase.js';
import { OBJECT_STORE } from './object-store.token.js';
import { readChunks } from './read-chunks.js';

type IndexFileOperation = typeof searchOperations.indexFile;

@Injectable()
export class IndexFile {
  constructor(
    private readonly store: IndexStore,
    private readonly maintainIndex: MaintainIndex,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
  ) {}

  /** The file's chunks are findable, and those it had before are gone, once this returns. */
  async execute(
    input: OperationInput<IndexFileOperation>,
    context: CallContext,
  ): Promise<OperationOutput<IndexFileOperation>> {
    const { tenantId, deadlineAt } = context;
    // Keys lead with their tenant: a caller can have only its own objects read.
    if (!input.chunks_key.startsWith(`${tenantId}/`)) throw badRequest('chunks_key: is not a key of this tenant');
    const remainingMs = deadlineAt - Date.now();
    if (remainingMs <= 0) throw unavailable('Indexing within the deadline');
    const file = {
      tenantId,
      fileId: uuidOf('file', input.file_id),
      run: { jobId: uuidOf('job', input.job_id), jobNumber: input.job_number, fence: input.fence },
      space: input.space,
      filename: cleanText(input.filename),
      title: input.title === null ? null : cleanText(input.title),
      contentType: input.content_type === null ? null : mediaType(input.content_type),
      metadata: cleanRecord(input.metadata),
    };
    const batches = readChunks(this.objects, input.chunks_key, AbortSignal.timeout(remainingMs));
    const { chunks, waiting } = await this.store.replace(file, batches);
    this.maintainIndex.notice(tenantId, waiting);
    return { chunks };
  }
}
