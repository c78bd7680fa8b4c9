/** An ONNX graph in memory. It computes one batch at a time, on threads of the runtime, so that this process keeps answering. */
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Tokens } from './text-encoder.js';

/** The output for a batch: `values` has `rows` × the product of `rest` numbers. */
export interface GraphOutput {
  readonly values: Float32Array;
  readonly dimensions: readonly number[];
  /** The longest text of the batch. The others are padded. */
  readonly length: number;
}

type Runtime = typeof import('onnxruntime-node');

export class OnnxGraph {
  private constructor(
    private readonly runtime: Runtime,
    private readonly session: InferenceSession,
  ) {}

  /** @throws an Error if the runtime has no build for this platform, or the file is no ONNX model. */
  static async open(path: string, threads: number): Promise<OnnxGraph> {
    const runtime = await loadRuntime();
    // Without its arena, the runtime returns the memory of a large batch.
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1, enableCpuMemArena: false };
    return new OnnxGraph(runtime, await runtime.InferenceSession.create(path, options));
  }

  async run(batch: readonly Tokens[]): Promise<GraphOutput> {
    const length = Math.max(...batch.map(({ ids }) => ids.length));
    const columns: Record<string, (tokens: Tokens) => readonly number[]> = {
      input_ids: ({ ids }) => ids,
      attention_mask: ({ ids }) => ids.map(() => 1),
      token_type_ids: ({ types }) => types,
    };
    const feeds: Record<string, Tensor> = {};
    for (const name of this.session.inputNames) {
      const column = columns[name];
      if (column === undefined) throw new Error(`The model has an unknown input: ${name}.`);
      feeds[name] = new this.runtime.Tensor('int64', padded(batch.map(column), length), [batch.length, length]);
    }
    const outputs = await this.session.run(feeds);
    const output = outputs[this.session.outputNames[0] ?? ''];
    if (!(output?.data instanceof Float32Array)) throw new Error('The first output of the model is not float32.');
    return { values: output.data, dimensions: output.dims, length };
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}

function padded(rows: readonly (readonly number[])[], length: number): BigInt64Array {
  const values = new BigInt64Array(rows.length * length);
  for (const [row, numbers] of rows.entries())
    for (const [column, number] of numbers.entries()) values[row * length + column] = BigInt(number);
  return values;
}

async function loadRuntime(): Promise<Runtime> {
  try {
    const { default: runtime } = (await import('onnxruntime-node')) as unknown as { default: Runtime };
    return runtime;
  } catch (error) {
    throw new Error(
      `The ONNX runtime does not run on ${process.platform} ${process.arch}. Use a server of embeddings: set KILN_EMBEDDING_URL.`,
      { cause: error },
    );
  }
}
