// Makes the index of files again, from their variants. It writes as the run that has indexed the file: it loses against any later run, and
// replaces what that run has written. So it can be repeated, and run beside jobs, searches and deletions.
import {
  asCodedError,
  textLanguageOf,
  type CallContext,
  type ChunkLine,
  type FileToIndex,
  type OperationInput,
  type OperationOutput,
  type RebuiltFile,
  type SearchableIndex,
  type SearchLanguage,
  type searchOperations,
} from '@kiln/contracts';
import { chunk } from '@kiln/extraction/chunk';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { IndexFiles } from '../indexing/index-files.usecase.js';
import { IndexedFiles, isReplaced, type IndexSource } from './indexed-files.adapter.js';

type RebuildOperation = typeof searchOperations.rebuildFiles;

@Injectable()
export class RebuildFiles {
  constructor(
    @Inject(IndexedFiles) private readonly files: Pick<IndexedFiles, 'find' | 'languageOf'>,
    private readonly index: IndexFiles,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** One file after another, so that the text of one is in memory. Throws UNAVAILABLE when the caller should repeat the call. */
  async execute(
    { file_ids: fileIds }: OperationInput<RebuildOperation>,
    context: CallContext,
  ): Promise<OperationOutput<RebuildOperation>> {
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
      if (source.markdown === null) return failed('It has no markdown variant. Process the file again.');
      const input = inputOf(source, source.markdown, language);
      const { files } = await this.index.execute({ files: [input] }, context, true);
      const refusal = files[0]?.refusal ?? null;
      if (refusal?.code === 'SUPERSEDED') return { outcome: 'superseded', problem: null };
      return refusal === null ? { outcome: 'rebuilt', problem: null } : failed(refusal.message);
    } catch (error) {
      return this.failure(fileId, error, context);
    }
  }

  /** Rethrows what a repeat of the call can mend. */
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

const inputOf = (
  { file, index: { source } }: IndexSource,
  markdown: string,
  language: SearchLanguage,
): FileToIndex => ({
  ...file,
  title: source.title,
  language: textLanguageOf(language, source.language),
  chunks: chunksOf(markdown, source),
  chunks_key: null,
});

const chunksOf = (markdown: string, { chunking, pages }: SearchableIndex['source']): ChunkLine[] =>
  Array.from(
    chunk(markdown, {
      strategy: chunking.strategy,
      chunkSize: chunking.chunk_size,
      chunkOverlap: chunking.chunk_overlap,
      pages,
    }),
    ({ index, text, start, end, page, headingPath }) => ({ index, text, start, end, page, heading_path: headingPath }),
  );
