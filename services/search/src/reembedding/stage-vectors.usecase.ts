// Embeds the chunks of files with another model, and stages the vectors. It rebuilds the text of each chunk from the variants, as the job embedded
// it. If a call fails, the next one continues after the last staged vector.
import {
  asCodedError,
  uuidOf,
  type CallContext,
  type ChunkLine,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
  type StagedFile as StagedOutcome,
} from '@kiln/contracts';
import { batchInputs, type BatchLimits } from '@kiln/model-clients/embedding/batch-inputs';
import { embeddedText } from '@kiln/chunks/embedded-text';
import { encodeVector } from '@kiln/chunks/embeddings-variant';
import type { Logger } from '@kiln/platform';
import { createHash } from 'node:crypto';
import { facetsOf } from '../postings/domain/facet.js';
import type { PassageEmbedder } from '../providers/passage-embedder.service.js';
import { indexedChunks } from '../rebuild/indexed-chunks.domain.js';
import { isReplaced, type IndexedFiles, type IndexSource } from '../rebuild/indexed-files.adapter.js';
import type { Embedding } from '../text-index/text-index.port.js';
import type { StagedFile, StagedVectorsStore } from '../vectors/staged-vectors.store.js';

type StageOperation = typeof searchOperations.stageVectors;
type Outcome = Omit<StagedOutcome, 'file_id'>;

export interface StageVectorsParts {
  files: Pick<IndexedFiles, 'find' | 'embeddingModelOf'>;
  embedder: Pick<PassageEmbedder, 'embed' | 'dimensionsOf'>;
  staged: StagedVectorsStore;
  limits: BatchLimits;
  logger: Pick<Logger, 'error'>;
}

export class StageVectors {
  constructor(private readonly parts: StageVectorsParts) {}

  async execute(
    { file_ids: fileIds, model: given }: OperationInput<StageOperation>,
    context: CallContext,
  ): Promise<OperationOutput<StageOperation>> {
    const model = given ?? (await this.parts.files.embeddingModelOf(context));
    // Test data has no vectors: it never calls a provider.
    if (context.mode === 'test') return { model, files: fileIds.map((id) => ({ file_id: id, ...current })) };
    const embedding = { model, dimensions: await this.parts.embedder.dimensionsOf(model, context) };
    const files: StagedOutcome[] = [];
    for (const id of fileIds) files.push({ file_id: id, ...(await this.stage(id, embedding, context)) });
    return { model, files };
  }

  private async stage(id: string, embedding: Embedding, context: CallContext): Promise<Outcome> {
    try {
      const [tenantId, fileId] = [context.tenantId, uuidOf('file', id)];
      const version = await this.parts.staged.find(tenantId, fileId, embedding);
      if (!version) return gone;
      if (version.isCurrent || version.chunks === 0) return current;
      if (version.isStaged) return staged;
      const source = await this.parts.files.find(id, context);
      if (source.markdown === null) return failed('It has no variant markdown. Process the file again.');
      const file = { tenantId, fileId, ...embedding, run: version.run };
      if (await this.embed(file, source, context)) return staged;
      return failed(`Its index is of another release, or was replaced meanwhile. Run kiln search rebuild --file ${id}`);
    } catch (error) {
      return this.failure(id, error, context);
    }
  }

  /** Returns false when the chunks are not those of the index. */
  private async embed(file: StagedFile, { file: record, index, markdown }: IndexSource, context: CallContext) {
    const { staged: store, embedder, limits } = this.parts;
    const { space, content_type: contentType, metadata } = record;
    const first = await store.begin(file, facetsOf({ space, contentType, metadata }));
    const places = createHash('md5');
    let chunks = 0;
    const left = function* () {
      for (const chunk of indexedChunks(index, markdown ?? '')) {
        places.update(`${chunk.start}-${chunk.end},`);
        if (chunks++ >= first) yield chunk;
      }
    };
    for (const batch of batchInputs(left(), embeddedText, limits)) {
      const vectors = await embedder.embed(batch.map(embeddedText), file.model, context);
      const lines = batch.map((chunk, at): ChunkLine => {
        const { headingPath: heading_path, lines: _lines, prefix: _prefix, ...line } = chunk;
        return { ...line, heading_path, vector: encodeVector(vectors[at] ?? []) };
      });
      await store.add(file, lines);
    }
    return store.complete(file, chunks, places.digest('hex'));
  }

  /** Rethrows errors that a repeated call or the operator can resolve. */
  private failure(fileId: string, error: unknown, context: CallContext): Outcome {
    if (isReplaced(error)) return gone;
    const { code, message } = asCodedError(error);
    if (code === 'NOT_FOUND') return gone;
    if (code !== 'INTERNAL_ERROR') throw error;
    const { requestId, tenantId } = context;
    this.parts.logger.error({ err: error, requestId, tenantId, fileId }, 'Embedding the chunks of a file failed');
    return failed(`${message} The log of the search service has the cause.`);
  }
}

const staged: Outcome = { outcome: 'staged', problem: null };
const current: Outcome = { outcome: 'current', problem: null };
const gone: Outcome = { outcome: 'gone', problem: null };
const failed = (problem: string): Outcome => ({ outcome: 'failed', problem });
