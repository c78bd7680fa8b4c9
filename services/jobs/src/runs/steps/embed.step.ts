// Chunks → vectors: a variant that is streamed to storage while the vectors arrive. Without a provider the step is skipped. The search
// service gets the same vectors with the chunks.
import type { Chunk } from '@kiln/chunks/chunk';
import { CLOSING, opening, SEPARATOR, type StoredEmbeddings } from '@kiln/chunks/embeddings-variant';
import { batchInputs, type BatchLimits } from '@kiln/model-clients/embedding/batch-inputs';
import type { ChosenEmbedder, EmbeddingEngines } from '@kiln/model-clients/embedding/embedding-engines';
import { embeddedText } from '@kiln/chunks/embedded-text';
import { mapAhead } from '@kiln/model-clients/embedding/map-ahead';
import type { ObjectStore } from '@kiln/storage';
import { Readable } from 'node:stream';
import type { RunContext } from '../run-context.port.js';
import type { StoredOutput } from '../run-outputs.service.js';
import { chunksOf } from './chunks.service.js';
import { HeldVectors, openEmbeddings } from './stored-embeddings.service.js';
import type { Extracted } from './stored-extraction.service.js';

const CONTENT_TYPE = 'application/json';
const NAME = 'embeddings.json';
const PROGRESS = 0.6;
const PROVIDER = 'embedding';
/** Concurrent requests for one document. The bulkhead of the engine limits the requests of all documents. */
const BATCHES_AHEAD = 3;

interface EmbeddedBatch {
  chunks: Chunk[];
  vectors: number[][];
  tokens: number;
}

/** The content of a new variant, known once it is written. */
interface Made {
  model: string;
  dimensions: number | null;
  vectors: HeldVectors;
}

export class EmbedStep {
  constructor(
    private readonly objects: Pick<ObjectStore, 'get'>,
    private readonly engines: EmbeddingEngines,
    private readonly limits: BatchLimits,
  ) {}

  /** Null when the job makes no embeddings. */
  async execute(context: RunContext, extracted: Extracted): Promise<StoredEmbeddings | null> {
    const { outputs, signal } = context;
    const committed = outputs.committedKey('embeddings');
    if (committed !== null) return openEmbeddings(this.objects, committed, signal);
    if (!outputs.wants('embeddings')) return null;
    const earlier = await this.takeOver(context);
    if (earlier) {
      addVariant(context, extracted, earlier);
      return openEmbeddings(this.objects, earlier.key, signal);
    }
    return this.make(context, extracted);
  }

  /** A result that an earlier run stored without committing it is already paid for. */
  private async takeOver({ outputs, progress }: RunContext): Promise<StoredOutput | null> {
    const earlier = await outputs.findEarlier(NAME);
    if (earlier === null) return null;
    progress.begin('embed', PROGRESS);
    return outputs.copy(earlier, NAME, CONTENT_TYPE);
  }

  private async make(context: RunContext, extracted: Extracted): Promise<StoredEmbeddings | null> {
    const { policy, job, outputs, progress } = context;
    const chosen = this.engines.choose({
      isTest: policy.isTest,
      ownKey: policy.isTest ? null : await policy.keyOf('embedding'),
      requested: job.processing.embedding_model,
    });
    if (chosen === null) return null;
    progress.begin('embed', PROGRESS, PROVIDER);
    // A provider may take minutes. The other variants are visible meanwhile.
    await outputs.commit();
    let failure: { error: unknown } | null = null;
    const whole = async function* (pieces: AsyncIterable<string>) {
      try {
        yield* pieces;
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    const made: Made = { model: chosen.model, dimensions: null, vectors: new HeldVectors() };
    const body = Readable.from(whole(this.variant(context, extracted, chosen, made)), { objectMode: false });
    try {
      const stored = await outputs.write(NAME, body, CONTENT_TYPE);
      addVariant(context, extracted, stored);
      return this.embeddingsOf(made, stored, context.signal);
    } catch (error) {
      // Storage only reports that the body ended early.
      throw (failure as { error: unknown } | null)?.error ?? error;
    }
  }

  private embeddingsOf({ model, dimensions, vectors }: Made, stored: StoredOutput, signal: AbortSignal) {
    const held = vectors.all;
    if (held === null) return openEmbeddings(this.objects, stored.key, signal);
    return { model, dimensions: dimensions ?? 0, vectors: () => held };
  }

  /** Streams `{model, dimensions, chunks: [{index, text, start, end, page, heading_path, embedding}]}`, each chunk on a line. */
  private async *variant(
    context: RunContext,
    extracted: Extracted,
    chosen: ChosenEmbedder,
    made: Made,
  ): AsyncGenerator<string> {
    const { model, key } = chosen;
    let chunks = 0;
    let tokens = 0;
    for await (const batch of this.embedded(context, extracted, chosen)) {
      if (made.dimensions === null) {
        made.dimensions = batch.vectors[0]?.length ?? 0;
        yield opening(model, made.dimensions);
      }
      assertDimensions(batch, made.dimensions);
      made.vectors.add(batch.vectors);
      const lines = batch.chunks.map((chunk, at) => chunkJson(chunk, batch.vectors[at] ?? []));
      yield `${chunks === 0 ? '' : SEPARATOR}${lines.join(SEPARATOR)}`;
      chunks += batch.chunks.length;
      tokens += batch.tokens;
    }
    if (made.dimensions === null) yield opening(model, 0);
    // Before the last bytes: wherever the complete variant exists, its usage is recorded.
    context.progress.use({ embedding: { key, model, chunks, tokens } });
    await context.progress.save();
    yield CLOSING;
  }

  private embedded(
    context: RunContext,
    extracted: Extracted,
    { chain }: ChosenEmbedder,
  ): AsyncGenerator<EmbeddedBatch> {
    const batches = batchInputs(chunksOf(context, extracted), embeddedText, this.limits);
    const embed = async (chunks: Chunk[], signal: AbortSignal): Promise<EmbeddedBatch> => {
      const inputs = chunks.map(embeddedText);
      return { chunks, ...(await chain.run((embedder) => embedder.embed(inputs, signal), signal)) };
    };
    return mapAhead(batches, BATCHES_AHEAD, embed, context.signal);
  }
}

function addVariant({ outputs }: RunContext, { provider }: Extracted, stored: StoredOutput): void {
  outputs.addStored({ type: 'embeddings', content_type: CONTENT_TYPE, provider }, stored);
}

function chunkJson({ index, text, start, end, page, headingPath }: Chunk, embedding: number[]): string {
  return JSON.stringify({ index, text, start, end, page, heading_path: headingPath, embedding });
}

/** Fails when two servers use one name for different models. */
function assertDimensions({ vectors }: EmbeddedBatch, dimensions: number): void {
  const odd = vectors.find((vector) => vector.length !== dimensions);
  if (odd !== undefined) throw new Error(`one document got embeddings of ${dimensions} and of ${odd.length} numbers`);
}
