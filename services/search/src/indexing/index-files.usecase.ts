// Indexes the files of one call. A file that is refused or fails does not affect the others.
import {
  asCodedError,
  badRequest,
  unavailable,
  uuidOf,
  type CallContext,
  type FileIndexed,
  type FileToIndex,
  type SearchInput,
  type SearchOutput,
} from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { cleanText } from '../analysis/domain/clean-text.js';
import type { ChunkBatches, IndexedFile, NewFile } from '../text-index/indexed-text.domain.js';
import { TextIndex } from '../text-index/text-index.service.js';
import { OBJECT_STORE } from './object-store.port.js';
import { cleanChunks, inBatches, readChunks } from './read-chunks.service.js';

/**
 * The maximum number of chunks of a small file. A small file is one row of the tail, and small files are written together. No call has room
 * for more chunks of the default size.
 */
const SMALL_CHUNKS_MAX = 1_000;

export type FileWithoutChunks = Omit<FileToIndex, 'chunks' | 'chunks_key'>;

@Injectable()
export class IndexFiles {
  constructor(
    @Inject(TextIndex) private readonly index: Pick<TextIndex, 'add' | 'replace'>,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** When this returns, searches find the new chunks of each accepted file, and no longer its old chunks. */
  async execute({ files }: SearchInput<'indexFiles'>, context: CallContext): Promise<SearchOutput<'indexFiles'>> {
    const written = await this.writeTogether(files, context);
    const answers: FileIndexed[] = [];
    for (const input of files) {
      const batches = () => this.batchesOf(input, context);
      answers.push(written.get(input) ?? (await this.write(input, batches, context, false)));
    }
    return { files: answers };
  }

  /** Returns the files that it indexed. The other files are written one by one afterwards, and each is accepted, refused or fails. */
  private async writeTogether(
    inputs: readonly FileToIndex[],
    { requestId, tenantId }: CallContext,
  ): Promise<Map<FileToIndex, FileIndexed>> {
    const small = new Map<string, FileToIndex>();
    for (const input of inputs) if (isSmall(input) && !small.has(input.file_id)) small.set(input.file_id, input);
    if (small.size === 0) return new Map();
    const files = [...small.values()].map((input) => newFileOf(input, tenantId));
    try {
      const fileIds = await this.index.add(tenantId, files);
      const written = [...small.values()].filter((input) => fileIds.has(uuidOf('file', input.file_id)));
      return new Map(written.map((input) => [input, { chunks: input.chunks?.length ?? 0, refusal: null }]));
    } catch (error) {
      const { code } = asCodedError(error);
      if (code !== 'INTERNAL_ERROR' && code !== 'BAD_REQUEST') throw error;
      this.logger.warn({ err: error, requestId, tenantId }, 'Indexing files together failed; indexing them one by one');
      return new Map();
    }
  }

  /** Indexes one file as `execute` does, under the run that may have indexed it. Also replaces what this run has written. */
  async indexAgain(file: FileWithoutChunks, chunks: ChunkBatches, context: CallContext): Promise<FileIndexed> {
    return this.write(file, () => chunks, context, true);
  }

  private async write(
    input: FileWithoutChunks,
    batches: () => ChunkBatches,
    context: CallContext,
    again: boolean,
  ): Promise<FileIndexed> {
    try {
      const chunks = await this.index.replace(fileOf(input, context.tenantId), batches(), again);
      return { chunks, refusal: null };
    } catch (error) {
      return this.refused(input, context, error);
    }
  }

  private batchesOf({ chunks, chunks_key: key }: FileToIndex, { tenantId, deadlineAt }: CallContext): ChunkBatches {
    if (chunks !== null) return inBatches(cleanChunks(chunks));
    // Every key begins with its tenant, so a caller can name its own objects only.
    if (!key?.startsWith(`${tenantId}/`)) throw badRequest('chunks_key: the key does not belong to this tenant');
    const remainingMs = deadlineAt - Date.now();
    if (remainingMs <= 0) throw unavailable('Indexing within the deadline');
    return readChunks(this.objects, key, AbortSignal.timeout(remainingMs));
  }

  /** Rethrows an error that fails the whole call. The caller then repeats the call, which does not change the files already indexed. */
  private refused(input: FileWithoutChunks, { requestId, tenantId }: CallContext, error: unknown): FileIndexed {
    const { code, message } = asCodedError(error);
    if (code === 'SUPERSEDED' || code === 'BAD_REQUEST') return { chunks: null, refusal: { code, message } };
    if (code !== 'INTERNAL_ERROR') throw error;
    this.logger.error({ err: error, requestId, tenantId, fileId: input.file_id }, 'Indexing a file failed');
    return { chunks: null, refusal: { code, message } };
  }
}

const isSmall = ({ chunks }: FileToIndex) =>
  chunks !== null && chunks.length <= SMALL_CHUNKS_MAX && chunks.every(({ index }, place) => index === place);

const newFileOf = (input: FileToIndex, tenantId: string): NewFile => ({
  file: fileOf(input, tenantId),
  chunks: cleanChunks(input.chunks ?? []),
});

const fileOf = (input: FileWithoutChunks, tenantId: string): IndexedFile => ({
  tenantId,
  fileId: uuidOf('file', input.file_id),
  run: { jobId: uuidOf('job', input.job_id), jobNumber: input.job_number, fence: input.fence },
  space: input.space,
  filename: cleanText(input.filename),
  title: input.title === null ? null : cleanText(input.title),
  contentType: input.content_type,
  metadata: input.metadata,
  embedding: input.embedding ?? null,
  language: input.language,
});
