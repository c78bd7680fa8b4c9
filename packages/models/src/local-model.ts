/** A model of a folder: embeds texts, or tells how relevant texts are to a query. */
import { join } from 'node:path';
import type { RunBatch } from './inference-queue.js';
import { readManifest, verifyFiles, type ModelManifest } from './model-manifest.js';
import { OnnxGraph, type GraphOutput } from './onnx-graph.js';
import { TextEncoder, type Tokens } from './text-encoder.js';
import { batchByLength } from './token-batches.js';

export interface LocalModelOptions {
  threads: number;
  /** The maximum number of tokens that are computed at once, padding included. */
  batchTokensMax: number;
}

export class LocalModel {
  private constructor(
    readonly manifest: ModelManifest,
    private readonly encoder: TextEncoder,
    private readonly graph: OnnxGraph,
    private readonly batchTokensMax: number,
  ) {}

  /** @throws an Error that says what is wrong with the folder. */
  static async open(folder: string, { threads, batchTokensMax }: LocalModelOptions): Promise<LocalModel> {
    const manifest = readManifest(folder);
    await verifyFiles(folder, manifest);
    const graph = await OnnxGraph.open(join(folder, manifest.graph), threads);
    return new LocalModel(manifest, new TextEncoder(folder, manifest.tokensMax), graph, batchTokensMax);
  }

  /** Returns vectors of length 1 in the order of the texts: the means of the vectors of their tokens. */
  async embed(texts: readonly string[], runBatch: RunBatch): Promise<{ vectors: Float32Array[]; tokens: number }> {
    const encoded = texts.map((text) => this.encoder.encode(text));
    const vectors = await this.compute(encoded, runBatch, meanOf);
    return { vectors, tokens: encoded.reduce((sum, { ids }) => sum + ids.length, 0) };
  }

  /** Returns relevances from 0 to 1 in the order of the texts. */
  rerank(query: string, texts: readonly string[], runBatch: RunBatch): Promise<number[]> {
    const encoded = texts.map((text) => this.encoder.encode(query, text));
    return this.compute(encoded, runBatch, ({ values, dimensions }, row) => {
      const logits = dimensions.at(-1) ?? 1;
      // With two classes, the second is "relevant".
      const logit = values[row * logits + logits - 1] ?? 0;
      return 1 / (1 + Math.exp(-logit));
    });
  }

  close(): Promise<void> {
    return this.graph.close();
  }

  private async compute<Result>(
    encoded: readonly Tokens[],
    runBatch: RunBatch,
    resultOf: (output: GraphOutput, row: number, tokens: Tokens) => Result,
  ): Promise<Result[]> {
    const results = Array.from<Result>({ length: encoded.length });
    for (const positions of batchByLength(encoded, this.batchTokensMax)) {
      const batch = positions.map((position) => encoded[position] as Tokens);
      const output = await runBatch(() => this.graph.run(batch));
      for (const [row, position] of positions.entries())
        results[position] = resultOf(output, row, batch[row] as Tokens);
    }
    return results;
  }
}

/** The mean over the tokens of the text, without padding, as a vector of length 1. */
function meanOf({ values, dimensions, length }: GraphOutput, row: number, { ids }: Tokens): Float32Array {
  const size = dimensions.at(-1) ?? 0;
  const mean = new Float32Array(size);
  for (let token = 0; token < ids.length; token++) {
    const at = (row * length + token) * size;
    for (let place = 0; place < size; place++) mean[place] = (mean[place] ?? 0) + (values[at + place] ?? 0);
  }
  const norm = Math.hypot(...mean);
  return norm === 0 ? mean : mean.map((value) => value / norm);
}
