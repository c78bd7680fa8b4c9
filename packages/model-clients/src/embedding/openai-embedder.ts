/**
 * A client for servers with OpenAI's `POST /embeddings` (https://platform.openai.com/docs/api-reference/embeddings), such as
 * vendors, Ollama, vLLM, LocalAI and text-embeddings-inference. Answers are validated.
 */
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';
import type { ProviderHttp } from '../http/provider-http.js';
import type { Embedded, Embedder } from './embedder.js';

export interface OpenAiEmbedderOptions {
  endpoint: ProviderEndpoint;
  http: ProviderHttp;
  model: string;
  /** Requested from models that can shorten their vectors. Answers must have this length. */
  dimensions?: number | undefined;
  /** Milliseconds for one request. */
  deadlineMs: number;
}

/** Enough for 8,192 numbers of 22 characters, and the JSON around them. */
const BYTES_PER_VECTOR_MAX = 196_608;
const ENVELOPE_BYTES = 65_536;
/** Statuses of servers for a request that is too large. OpenAI uses 400. */
const TOO_MUCH = new Set([400, 413, 422]);

export class OpenAiEmbedder implements Embedder {
  readonly model: string;
  private inputsMax = Infinity;

  constructor(private readonly options: OpenAiEmbedderOptions) {
    this.model = options.model;
  }

  async embed(inputs: readonly string[], signal: AbortSignal): Promise<Embedded> {
    if (inputs.length === 0) return { vectors: [], tokens: 0 };
    if (inputs.length > this.inputsMax) return this.embedInHalves(inputs, signal);
    try {
      return await this.ask(inputs, signal);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      if (inputs.length === 1) throw this.refusedText(inputs[0] ?? '', error);
      const embedded = await this.embedInHalves(inputs, signal);
      // The halves were accepted, so the request was too large. Later requests are as small as these.
      this.inputsMax = Math.min(this.inputsMax, Math.ceil(inputs.length / 2));
      return embedded;
    }
  }

  /** The limit of a request is rarely documented, so a request that the server refuses as too large is split in two. */
  private async embedInHalves(inputs: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const middle = Math.ceil(inputs.length / 2);
    const first = await this.embed(inputs.slice(0, middle), signal);
    const second = await this.embed(inputs.slice(middle), signal);
    const vectors = [...first.vectors, ...second.vectors];
    assertOneLength(vectors, this.options.endpoint);
    return { vectors, tokens: first.tokens + second.tokens };
  }

  private refusedText(text: string, error: ProviderError): ProviderError {
    const message = `The provider of embeddings refuses a text of ${text.length} characters for the model "${this.model}". Choose a smaller chunk_size, or another model.`;
    return new ProviderError('refused', this.options.endpoint, {
      message,
      statusCode: error.statusCode ?? 0,
      cause: error.cause,
    });
  }

  private async ask(input: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const { endpoint, http, model, dimensions, deadlineMs } = this.options;
    const answer = await http.postForJson(
      endpoint,
      {
        path: '/embeddings',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          input,
          encoding_format: 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
        }),
        deadlineMs,
        responseBytesMax: input.length * BYTES_PER_VECTOR_MAX + ENVELOPE_BYTES,
      },
      signal,
    );
    const vectors = vectorsOf(answer, input.length, endpoint);
    assertOneLength(vectors, endpoint, dimensions);
    return { vectors, tokens: tokensOf(answer) };
  }
}

function isTooMuch(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.statusCode !== null && TOO_MUCH.has(error.statusCode);
}

/** Reads `{data: [{index, embedding}], usage: {total_tokens}}`. `index` gives the order: `data` may have any. */
function vectorsOf(answer: unknown, count: number, endpoint: ProviderEndpoint): number[][] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== count) throw malformed(endpoint, `not ${count} embeddings`);
  const vectors = Array.from<number[] | undefined>({ length: count });
  for (const [position, item] of data.entries()) {
    const { index = position, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index])
      throw malformed(endpoint, 'the index of an embedding is wrong');
    if (!isVector(embedding)) throw malformed(endpoint, 'an embedding is not a list of finite numbers');
    vectors[index] = embedding;
  }
  return vectors as number[][];
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

function assertOneLength(vectors: readonly number[][], endpoint: ProviderEndpoint, expected?: number): void {
  const length = expected ?? vectors[0]?.length;
  const odd = vectors.find((vector) => vector.length !== length);
  if (odd !== undefined) throw malformed(endpoint, `an embedding has ${odd.length} numbers, not ${length}`);
}

function tokensOf(answer: unknown): number {
  const { usage } = answer as { usage?: { total_tokens?: unknown; prompt_tokens?: unknown } | null };
  const tokens = Number(usage?.total_tokens ?? usage?.prompt_tokens ?? 0);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}

function malformed(endpoint: ProviderEndpoint, reason: string): ProviderError {
  return new ProviderError('malformed', endpoint, { cause: new Error(reason) });
}
