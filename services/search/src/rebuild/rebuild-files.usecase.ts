// Makes the index of files again, from their variants. It writes as the run that has indexed the file: a later run wins over it, and it
// replaces what that run has written. So it can be repeated, and run beside jobs, searches and deletions.
import {
  asCodedError,
  textLanguageOf,
  uuidOf,
  type CallContext,
  type RebuiltFile,
  type SearchLanguage,
  type VariantType,
  type SearchInput,
  type SearchOutput,
} from '@kiln/contracts';
import type { Chunk } from '@kiln/chunks/chunk';
import { chunkLines } from '@kiln/chunks/chunk-lines';
import type { StoredEmbeddings } from '@kiln/chunks/embeddings-variant';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { IndexFiles, type FileWithoutChunks } from '../indexing/index-files.usecase.js';
import { batchesOfLines } from '../indexing/read-chunks.service.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { ServedVectorsStore, type ServedVectors } from '../vectors/served-vectors.store.js';
import { indexedChunks, storedChunks } from './indexed-chunks.domain.js';
import { IndexedFiles, isReplaced, type IndexSource } from './indexed-files.adapter.js';

@Injectable()
export class RebuildFiles {
  constructor(
    @Inject(IndexedFiles) private readonly files: Pick<IndexedFiles, 'find' | 'languageOf' | 'isCurrent'>,
    private readonly index: IndexFiles,
    @Inject(ServedVectorsStore) private readonly served: Pick<ServedVectorsStore, 'find'>,
    @Inject(ChunkStore) private readonly texts: Pick<ChunkStore, 'readAll'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Processes one file after another, and writes chunks as they are read, so that only the text of one file is in memory. Throws
   * UNAVAILABLE when the caller should repeat the call.
   */
  async execute(
    { file_ids: fileIds }: SearchInput<'rebuildFiles'>,
    context: CallContext,
  ): Promise<SearchOutput<'rebuildFiles'>> {
    const language = await this.files.languageOf(context);
    const files: RebuiltFile[] = [];
    for (const fileId of fileIds) files.push({ file_id: fileId, ...(await this.rebuild(fileId, language, context)) });
    return { files };
  }

  private async rebuild(
    fileId: string,
    language: SearchLanguage,
    context: CallContext,
  ): Promise<Omit<RebuiltFile, 'file_id'>> {
    try {
      const source = await this.files.find(fileId, context);
      const served = await this.servedBy(source, context);
      const chunks = await this.chunksOf(source, context);
      if (chunks === null) return lacks('markdown');
      if (served === null && source.index.model !== null && source.embeddings === null) return lacks('embeddings');
      const vectors = served ?? vectorsOf(source);
      const lines = chunkLines(chunks, vectors);
      const file = fileOf(source, language, vectors);
      const { refusal } = await this.index.indexAgain(file, batchesOfLines(lines), context);
      if (refusal?.code === 'SUPERSEDED') return { outcome: 'superseded', problem: null };
      if (refusal !== null) return failed(refusal.message);
      // Of two rebuilds at once, the one that writes last may have read the file before it was edited.
      if (!(await this.files.isCurrent(source.file, context))) return await this.rebuild(fileId, language, context);
      return { outcome: 'rebuilt', problem: null };
    } catch (error) {
      return this.failure(fileId, error, context);
    }
  }

  /** The vectors may be newer than the variant `embeddings`: see reembedding. */
  private async servedBy({ file, index }: IndexSource, { tenantId }: CallContext): Promise<ServedVectors | null> {
    const run = { jobNumber: file.job_number, fence: file.fence };
    const served = await this.served.find(tenantId, uuidOf('file', file.file_id), run);
    return served?.count === index.chunks ? served : null;
  }

  /** Without the variant markdown, the chunks of the index are used again. Null if these are gone, too. */
  private async chunksOf(
    { file, index, markdown }: IndexSource,
    { tenantId }: CallContext,
  ): Promise<Iterable<Chunk> | AsyncIterable<Chunk> | null> {
    if (markdown !== null) return indexedChunks(index, markdown);
    const stored = await this.texts.readAll(tenantId, uuidOf('file', file.file_id), index.chunks);
    return stored && storedChunks(stored);
  }

  /** Rethrows an error that a repeat of the call can repair. */
  private failure(fileId: string, error: unknown, context: CallContext): Omit<RebuiltFile, 'file_id'> {
    if (isReplaced(error)) return { outcome: 'gone', problem: null };
    const { code, message } = asCodedError(error);
    if (code === 'NOT_FOUND') return { outcome: 'gone', problem: null };
    if (code !== 'INTERNAL_ERROR') throw error;
    const { requestId, tenantId } = context;
    this.logger.error({ err: error, requestId, tenantId, fileId }, 'Rebuilding the index of a file failed');
    return failed(`${message} The log of the search service has the cause. Process the file again.`);
  }
}

const failed = (problem: string) => ({ outcome: 'failed' as const, problem });

/** A variant from which the index was made, and which the file no longer has. */
const lacks = (variant: VariantType) => failed(`It has no variant ${variant}. Process the file again.`);

/** The vectors of a file that was indexed with them. A file without chunks has none. */
const vectorsOf = ({ index, embeddings }: IndexSource) =>
  index.model === null || embeddings === null || embeddings.dimensions === 0 ? null : embeddings;

function fileOf(
  { file, index }: IndexSource,
  language: SearchLanguage,
  vectors: Pick<StoredEmbeddings, 'model' | 'dimensions'> | null,
): FileWithoutChunks {
  return {
    ...file,
    title: index.source.title,
    language: textLanguageOf(language, index.source.language),
    ...(vectors && { embedding: { model: vectors.model, dimensions: vectors.dimensions } }),
  };
}
