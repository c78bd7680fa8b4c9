// Chunks → vectors, as a variant of its own that is streamed to storage while the vectors come. Without a provider there is
// none, and nothing failed.
import type { Chunk } from '@kiln/extraction/chunk';
import { batchInputs, mapAhead, type BatchLimits } from '@kiln/extraction/remote';
import { Readable } from 'node:stream';
import type { ChosenEmbedder, EmbeddingEngines } from '../../adapters/embedding-engines.js';
import { committedKey, OutputStore, wants, type StoredOutput } from '../output-store.js';
import type { RunContext } from '../run-context.js';
import { chunksOf } from './chunks.js';
import type { Extracted } from './extract.step.js';

const CONTENT_TYPE = 'application/json';
const NAME = 'embeddings.json';
const PROGRESS = 0.6;
const PROVIDER = 'embedding';
/** Requests of one document under way at a time; the engine's guard counts those of all documents. */
const BATCHES_AHEAD = 3;

interface EmbeddedBatch {
  chunks: Chunk[];
  vectors: number[][];
  tokens: number;
}

export class EmbedStep {
  constructor(
    private readonly outputs: OutputStore,
    private readonly engines: EmbeddingEngines,
    private readonly limits: BatchLimits,
  ) {}

  async execute(context: RunContext, extracted: Extracted): Promise<void> {
    if (!wants(context, 'embeddings') || committedKey(context, 'embeddings') !== null) return;
    const stored = (await this.takeOver(context)) ?? (await this.make(context, extracted));
    if (stored === null) return;
    const variant = { type: 'embeddings' as const, contentType: CONTENT_TYPE, stored, provider: PROVIDER };
    await this.outputs.commitVariant(context, variant);
  }

  /** What an earlier run has stored and not committed is paid for. */
  private async takeOver(context: RunContext): Promise<StoredOutput | null> {
    const earlier = await this.outputs.findEarlier(context, NAME);
    if (earlier === null) return null;
    await context.report('embed', PROGRESS);
    return this.outputs.copy(context, earlier, NAME, CONTENT_TYPE);
  }

  private async make(context: RunContext, extracted: Extracted): Promise<StoredOutput | null> {
    const { policy, job } = context;
    const chosen = this.engines.choose({
      isTest: policy.isTest,
      ownKey: policy.isTest ? null : await policy.keyOf('embedding'),
      requested: job.processing.embedding_model,
    });
    if (chosen === null) return null;
    await context.report('embed', PROGRESS, PROVIDER);
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
      return await this.outputs.write(context, NAME, body, CONTENT_TYPE);
    } catch (error) {
      // Storage only knows that the body broke off.
      throw (failure as { error: unknown } | null)?.error ?? error;
    }
  }

  /** `{model, dimensions, chunks: [{index, text, start, end, page, heading_path, embedding}]}`, piece by piece. */
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
    // Before the end, which makes the variant whole: what was used is known wherever the variant is.
    await context.recordUsage({ embedding: { key, model, chunks, tokens } });
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

/** Rows of a table say little without their header. */
const embeddedText = ({ prefix, text }: Chunk) => (prefix === undefined ? text : `${prefix}\n${text}`);

const beginning = (model: string, dimensions: number) =>
  `{"model":${JSON.stringify(model)},"dimensions":${dimensions},"chunks":[`;

function chunkJson({ index, text, start, end, page, headingPath }: Chunk, embedding: number[]): string {
  return JSON.stringify({ index, text, start, end, page, heading_path: headingPath, embedding });
}

/** Two servers that call different models by one name. */
function assertDimensions({ vectors }: EmbeddedBatch, dimensions: number): void {
  const odd = vectors.find((vector) => vector.length !== dimensions);
  if (odd !== undefined) throw new Error(`one document got embeddings of ${dimensions} and of ${odd.length} numbers`);
}
