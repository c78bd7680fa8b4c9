// Embeds the chunks of files with another model, and stages the vectors. It rebuilds the text of each chunk from the variants, as the job embedded
// it. If a call fails, the next one continues after the last staged vector.
import {
  asCodedError,
  uuidOf,
  type CallContext,
  type ChunkLine,
  type SearchInput,
  type SearchOutput,
  type StagedFile as StagedOutcome,
} from '@kiln/contracts';
import { batchInputs } from '@kiln/model-clients/embedding/batch-inputs';
import { embeddedText } from '@kiln/chunks/embedded-text';
import { encodeVector } from '@kiln/chunks/embeddings-variant';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { facetsOf } from '../postings/domain/facet.js';
import { PassageEmbedder } from '../providers/passage-embedder.service.js';
import { indexedChunks } from '../rebuild/indexed-chunks.domain.js';
import { IndexedFiles, isReplaced, type IndexSource } from '../rebuild/indexed-files.adapter.js';
import type { Embedding } from '../text-index/indexed-text.domain.js';
import { StagedVectorsStore, type StagedFile } from '../vectors/staged-vectors.store.js';

type Outcome = Omit<StagedOutcome, 'file_id'>;

type Limits = Pick<SearchConfig, 'KILN_EMBEDDING_BATCH_INPUTS' | 'KILN_EMBEDDING_BATCH_CHARACTERS'>;

@Injectable()
export class StageVectors {
  constructor(
    @Inject(SEARCH_CONFIG) private readonly config: Limits,
    @Inject(IndexedFiles) private readonly files: Pick<IndexedFiles, 'find' | 'isCurrent' | 'embeddingModelOf'>,
    @Inject(PassageEmbedder) private readonly embedder: Pick<PassageEmbedder, 'embed' | 'dimensionsOf'>,
    private readonly staged: StagedVectorsStore,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  async execute(
    { file_ids: fileIds, model: given }: SearchInput<'stageVectors'>,
    context: CallContext,
  ): Promise<SearchOutput<'stageVectors'>> {
    const model = given ?? (await this.files.embeddingModelOf(context));
    // Test data has no vectors: it never calls a provider.
    if (context.mode === 'test') return { model, files: fileIds.map((id) => ({ file_id: id, ...current })) };
    const embedding = { model, dimensions: await this.embedder.dimensionsOf(model, context) };
    const files: StagedOutcome[] = [];
    for (const id of fileIds) files.push({ file_id: id, ...(await this.stage(id, embedding, context)) });
    return { model, files };
  }

  private async stage(id: string, embedding: Embedding, context: CallContext): Promise<Outcome> {
    try {
      const [tenantId, fileId] = [context.tenantId, uuidOf('file', id)];
      const version = await this.staged.find(tenantId, fileId, embedding);
      if (!version) return gone;
      if (version.isCurrent || version.chunks === 0) return current;
      if (version.isStaged) return staged;
      const source = await this.files.find(id, context);
      if (source.markdown === null) return failed('It has no variant markdown. Process the file again.');
      const file = { tenantId, fileId, ...embedding, run: version };
      const { space, content_type: contentType, metadata } = source.file;
      const first = await this.staged.begin(file, facetsOf({ space, contentType, metadata }));
      // The index of an edited file may have been made again before its former facets were staged. Later, that discards them.
      if (!(await this.files.isCurrent(source.file, context))) {
        await this.staged.discard(file);
        return await this.stage(id, embedding, context);
      }
      if (await this.embed(file, source, { first, context })) return staged;
      return failed(`Its index is of another release, or was replaced meanwhile. Run kiln search rebuild --file ${id}`);
    } catch (error) {
      return this.failure(id, error, context);
    }
  }

  /** Embeds the chunks from the one with the index `first`. Returns false when the chunks are not those of the index. */
  private async embed(
    file: StagedFile,
    { index, markdown }: IndexSource,
    { first, context }: { first: number; context: CallContext },
  ): Promise<boolean> {
    const { KILN_EMBEDDING_BATCH_INPUTS: inputsMax, KILN_EMBEDDING_BATCH_CHARACTERS: charactersMax } = this.config;
    const places = createHash('md5');
    let chunks = 0;
    const left = function* () {
      for (const chunk of indexedChunks(index, markdown ?? '')) {
        places.update(`${chunk.start}-${chunk.end},`);
        if (chunks++ >= first) yield chunk;
      }
    };
    for (const batch of batchInputs(left(), embeddedText, { inputsMax, charactersMax })) {
      const vectors = await this.embedder.embed(batch.map(embeddedText), file.model, context);
      const lines = batch.map((chunk, at): ChunkLine => {
        const { headingPath: heading_path, lines: _lines, prefix: _prefix, ...line } = chunk;
        return { ...line, heading_path, vector: encodeVector(vectors[at] ?? []) };
      });
      await this.staged.add(file, lines);
    }
    return this.staged.complete(file, chunks, places.digest('hex'));
  }

  /** Rethrows errors that a repeated call or the operator can resolve. */
  private failure(fileId: string, error: unknown, context: CallContext): Outcome {
    if (isReplaced(error)) return gone;
    const { code, message } = asCodedError(error);
    if (code === 'NOT_FOUND') return gone;
    if (code !== 'INTERNAL_ERROR') throw error;
    const { requestId, tenantId } = context;
    this.logger.error({ err: error, requestId, tenantId, fileId }, 'Embedding the chunks of a file failed');
    return failed(`${message} The log of the search service has the cause.`);
  }
}

const staged: Outcome = { outcome: 'staged', problem: null };
const current: Outcome = { outcome: 'current', problem: null };
const gone: Outcome = { outcome: 'gone', problem: null };
const failed = (problem: string): Outcome => ({ outcome: 'failed', problem });
