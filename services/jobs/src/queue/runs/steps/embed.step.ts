// Chunks → vectors: a variant that is streamed to storage while the vectors arrive. Without a provider the step is skipped.
import type { Chunk } from '@kiln/extraction/chunk';
import {
  batchInputs,
  mapAhead,
  type BatchLimits,
  type ChosenEmbedder,
  type EmbeddingEngines,
} from '@kiln/extraction/remote';
import { Readable } from 'node:stream';
import type { RunContext } from '../run-context.js';
import type { StoredOutput } from '../run-outputs.js';
import { chunksOf } from './chunks.js';
import type { Extracted } from './stored-extraction.js';

const CONTENT_TYPE = 'application/json';
const NAME = 'embeddings.json';
const PROGRESS = 0.6;
const PROVIDER = 'embedding';
/** Concurrent requests for one document. The engine's guard limits those of all documents. */
const BATCHES_AHEAD = 3;

interface EmbeddedBatch {
  chunks: Chunk[];
  vectors: number[][];
  tokens: number;
}

export class EmbedStep {
  constructor(
    private readonly engines: EmbeddingEngines,
    private readonly limits: BatchLimits,
  ) {}

  async execute(context: RunContext, extracted: Extracted): Promise<void> {
    const { outputs } = context;
    if (!outputs.wants('embeddings')) return;
    const stored = (await this.takeOver(context)) ?? (await this.make(context, extracted));
    if (stored === null) return;
    outputs.addStored({ type: 'embeddings', content_type: CONTENT_TYPE, provider: PROVIDER }, stored);
  }

  /** What an earlier run stored without committing it is already paid for. */
  private async takeOver({ outputs, progress }: RunContext): Promise<StoredOutput | null> {
    const earlier = await outputs.findEarlier(NAME);
    if (earlier === null) return null;
    progress.begin('embed', PROGRESS);
    return outputs.copy(earlier, NAME, CONTENT_TYPE);
  }

  private async make(context: RunContext, extracted: Extracted): Promise<StoredOutput | null> {
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
    const body = Readable.from(whole(this.variant(context, extracted, chosen)), { objectMode: false });
    try {
      return await outputs.write(NAME, body, CONTENT_TYPE);
    } catch (error) {
      // Storage only reports that the body ended early.
      throw (failure as { error: unknown } | null)?.error ?? error;
    }
  }

  /** Streams `{model, dimensions, chunks: [{index, text, start, end, page, heading_path, embedding}]}`. */
  private async *variant(context: RunContext, extracted: Extracted, chosen: ChosenEmbedder): AsyncGenerator<string> {
    const { model, key } = chosen;
    let dimensions: number | null = null;
    let chunks = 0;
    let tokens = 0;
    for await (const batch of this.embedded(context, extracted, chosen)) {
      if (dimensions === null) {
        dimensions = batch.vectors[0]?.length ?? 0;
        yield beginning(model, dimensions);
      }
      assertDimensions(batch, dimensions);
      yield `${chunks === 0 ? '' : ','}${batch.chunks.map((chunk, at) => chunkJson(chunk, batch.vectors[at] ?? [])).join(',')}`;
      chunks += batch.chunks.length;
      tokens += batch.tokens;
    }
    if (dimensions === null) yield beginning(model, 0);
    // Before the last bytes: wherever the complete variant exists, its usage is recorded.
    context.progress.use({ embedding: { key, model, chunks, tokens } });
    await context.progress.save();
    yield ']}';
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

/** Rows of a table mean little without their header. */
const embeddedText = ({ prefix, text }: Chunk) => (prefix === undefined ? text : `${prefix}\n${text}`);

const beginning = (model: string, dimensions: number) =>
  `{"model":${JSON.stringify(model)},"dimensions":${dimensions},"chunks":[`;

function chunkJson({ index, text, start, end, page, headingPath }: Chunk, embedding: number[]): string {
  return JSON.stringify({ index, text, start, end, page, heading_path: headingPath, embedding });
}

/** Fails when two servers use one name for different models. */
function assertDimensions({ vectors }: EmbeddedBatch, dimensions: number): void {
  const odd = vectors.find((vector) => vector.length !== dimensions);
  if (odd !== undefined) throw new Error(`one document got embeddings of ${dimensions} and of ${odd.length} numbers`);
}
