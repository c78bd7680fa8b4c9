/**
 * A client for servers with `POST /rerank`. Cohere (https://docs.cohere.com/reference/rerank), Jina and vLLM take `documents`, and answer
 * `{results: [{index, relevance_score}]}`. text-embeddings-inference takes `texts`, and answers `[{index, score}]`. Answers are validated.
 */
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';
import type { ProviderHttp } from '../http/provider-http.js';
import type { Reranker } from './reranker.js';

export interface HttpRerankerOptions {
  endpoint: ProviderEndpoint;
  http: ProviderHttp;
  model: string;
  /** Milliseconds for one request. */
  deadlineMs: number;
}

const BYTES_PER_SCORE_MAX = 256;
/** Some servers return the documents as well. */
const ENVELOPE_BYTES = 4_194_304;
/** Statuses of a server that does not know the field `documents`. */
const UNKNOWN_FIELD = new Set([400, 422]);

export class HttpReranker implements Reranker {
  private takes: 'documents' | 'texts' = 'documents';

  constructor(private readonly options: HttpRerankerOptions) {}

  async rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]> {
    if (documents.length === 0) return [];
    if (this.takes === 'texts') return this.askForTexts(query, documents, signal);
    try {
      const { model } = this.options;
      const body = { model, query, documents, top_n: documents.length, return_documents: false };
      return await this.ask(body, documents.length, signal);
    } catch (error) {
      if (!(error instanceof ProviderError) || !UNKNOWN_FIELD.has(error.statusCode ?? 0)) throw error;
      const scores = await this.askForTexts(query, documents, signal).catch(() => null);
      if (scores === null) throw error;
      this.takes = 'texts';
      return scores;
    }
  }

  private askForTexts(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    return this.ask({ query, texts, truncate: true }, texts.length, signal);
  }

  private async ask(body: object, count: number, signal: AbortSignal): Promise<number[]> {
    const { endpoint, http, deadlineMs } = this.options;
    const request = {
      path: '/rerank',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      deadlineMs,
      responseBytesMax: count * BYTES_PER_SCORE_MAX + ENVELOPE_BYTES,
    };
    return scoresOf(await http.postForJson(endpoint, request, signal), count, endpoint);
  }
}

/** `index` gives the order: servers sort by relevance. */
function scoresOf(answer: unknown, count: number, endpoint: ProviderEndpoint): number[] {
  const results = Array.isArray(answer) ? (answer as unknown[]) : (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results) || results.length !== count) throw malformed(endpoint, `not ${count} scores`);
  const scores = Array.from<number | undefined>({ length: count });
  for (const result of results as unknown[]) {
    const { index, relevance_score: relevance, score = relevance } = (result ?? {}) as Record<string, unknown>;
    if (typeof index !== 'number' || !(index in scores) || scores[index] !== undefined)
      throw malformed(endpoint, 'the index of a score is wrong');
    if (typeof score !== 'number' || !Number.isFinite(score)) throw malformed(endpoint, 'a score is not a number');
    scores[index] = Math.min(1, Math.max(0, score));
  }
  return scores as number[];
}

function malformed(endpoint: ProviderEndpoint, reason: string): ProviderError {
  return new ProviderError('malformed', endpoint, { cause: new Error(reason) });
}
