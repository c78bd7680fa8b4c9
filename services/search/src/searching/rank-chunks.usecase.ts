// Ranks by the words of a query, by the vectors of chunks, or by both.
import { badRequest, type CallContext, type NotServed } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import type { RankedChunk } from '../text-index/indexed-text.domain.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { VectorSearch, type NearChunk, type NotSearched } from '../vectors/vector-search.service.js';
import { bestOfEach, filesIn, keyOf, type Found, type FoundChunk } from './domain/found.js';
import { fuseRankings, type Fused } from './domain/fuse-rankings.js';
import { searchQueryOf } from './domain/search-query.js';
import { RankByVector, type FindRequest } from './rank-by-vector.usecase.js';
import { RankExistingFiles } from './rank-existing-files.usecase.js';

interface RankRequest extends FindRequest {
  mode: Found['mode'];
  /** The share of meaning in the score of a hybrid search. */
  vectorWeight: number | undefined;
}

/** Each ranking contributes at least this many results to a hybrid search. */
const FUSED_MIN = 100;
/** After this time, a hybrid search returns what text found, and a search by vector fails. */
const DEADLINES_MS = { hybrid: 4_000, vector: 8_000 };
/** Injection token: other deadlines. */
export const VECTOR_DEADLINES_MS = Symbol('vector deadlines');

const NO_PROVIDER = 'Run `npm run kiln -- models pull`, or set KILN_EMBEDDING_URL';

const notServed = {
  not_configured: `No embedding model is configured, so the search was by words only. ${NO_PROVIDER}.`,
  no_vectors: 'No file has vectors, so the search was by words only. Process files with the variant embeddings.',
  failed:
    'The embedding model or the index of vectors did not answer in time, so the search was by words only. Try again later.',
} as const satisfies Partial<Record<NotServed['reason'], string>>;

type WordsOnly = keyof typeof notServed;

@Injectable()
export class RankChunks {
  constructor(
    private readonly texts: RankExistingFiles,
    private readonly ranking: RankByVector,
    private readonly vectors: VectorSearch,
    private readonly chunks: ChunkStore,
    @Inject(SEARCH_CONFIG) private readonly config: Pick<SearchConfig, 'KILN_HYBRID_VECTOR_WEIGHT'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
    @Optional() @Inject(VECTOR_DEADLINES_MS) private readonly deadlinesMs = DEADLINES_MS,
  ) {}

  /**
   * Mode `hybrid` ranks by text when nothing can be found by vector, and says why. Mode `vector` throws BAD_REQUEST without a provider of
   * embeddings, and UNAVAILABLE while it fails.
   */
  rank(request: RankRequest): Promise<Found> {
    if (request.mode === 'text') return this.byText(request, []);
    return request.mode === 'vector' ? this.byVector(request) : this.byBoth(request);
  }

  private async byText(request: FindRequest, missing: readonly WordsOnly[]): Promise<Found> {
    const { files, total, terms, weights, details } = await this.rankTexts(request, request.limit);
    return {
      mode: 'text',
      chunks: files.map((text) => foundOf({ score: text.score, text, vector: null })),
      total,
      terms,
      weights: weights.terms,
      notServed: missing.map((reason) => ({ part: 'vector', reason, message: notServed[reason] })),
      details,
    };
  }

  private async byVector(request: FindRequest): Promise<Found> {
    const { query, context } = request;
    if (!(await this.vectors.isAvailable(context))) {
      throw badRequest(`mode: vector search requires an embedding model. ${NO_PROVIDER}, or use mode text.`);
    }
    const ranking = await this.ranking.rank({ ...request, scores: 'exact' }, this.deadlinesMs.vector);
    const { files, total, details } = ranking;
    const contents = await this.chunks.readTexts(context.tenantId, files);
    const chunks = files.map((vector, position) => ({
      ...foundOf({ score: share(vector.score), text: null, vector }),
      content: contents[position] ?? null,
    }));
    const languages = new Set(contents.flatMap((content) => content?.language ?? []));
    const { terms } = searchQueryOf(query, [...languages]);
    const unserved = modelsNotServed(ranking.notSearched);
    return { mode: 'vector', chunks, total, terms, weights: terms.map(() => 1), notServed: unserved, details };
  }

  private async byBoth(request: RankRequest): Promise<Found> {
    const missing = await this.missingOf(request.context);
    if (missing !== null) return this.byText(request, [missing]);
    const limit = Math.max(request.limit, FUSED_MIN);
    const [texts, vectors] = await Promise.all([
      this.rankTexts(request, limit),
      this.orFailed(request.context, () =>
        this.ranking.rank({ ...request, limit, scores: 'approximate' }, this.deadlinesMs.hybrid),
      ),
    ]);
    if (vectors === 'failed') return this.byText(request, ['failed']);
    const fused = fuseRankings(
      new Map(texts.files.map((text) => [keyIn(request, text.fileId, text.chunk), text])),
      new Map(vectors.files.map((vector) => [keyIn(request, vector.fileId, vector.index), vector])),
      request.vectorWeight ?? this.config.KILN_HYBRID_VECTOR_WEIGHT,
    );
    const total = texts.total + filesIn([...texts.files, ...vectors.files]) - filesIn(texts.files);
    // Words and vectors may have found different chunks of a file.
    const best = bestOfEach(fused.map(foundOf), request.maxPerFile ?? limit).slice(0, request.limit);
    const chunks = await this.withTexts(request.context, best, vectors.files);
    const { terms, weights } = texts;
    const unserved = modelsNotServed(vectors.notSearched);
    return { mode: 'hybrid', chunks, total, terms, weights: weights.terms, notServed: unserved };
  }

  private rankTexts({ context, query, filter, group, maxPerFile, metadataBytesMax }: FindRequest, limit: number) {
    const chunksPerFile = group === 'chunk' ? (maxPerFile ?? limit) : 1;
    return this.texts.rank(context, query, filter, { limit, chunksPerFile, metadataBytesMax });
  }

  /** Reads the texts of chunks that only the vectors found. */
  private async withTexts(
    { tenantId }: CallContext,
    chunks: readonly FoundChunk[],
    vectors: readonly NearChunk[],
  ): Promise<FoundChunk[]> {
    const wanted = new Set(chunks.filter(({ content }) => content === null).map(keyOf));
    const hits = vectors.filter(({ fileId, index }) => wanted.has(keyOf({ fileId, chunk: index })));
    const contents = await this.chunks.readTexts(tenantId, hits);
    const contentOf = new Map(
      hits.map(({ fileId, index }, position) => [keyOf({ fileId, chunk: index }), contents[position]]),
    );
    return chunks.map((chunk) => ({ ...chunk, content: chunk.content ?? contentOf.get(keyOf(chunk)) ?? null }));
  }

  /** Why nothing can be found by vector. Null when something can. */
  private async missingOf(context: CallContext): Promise<WordsOnly | null> {
    const isAvailable = await this.orFailed(context, () => this.vectors.isAvailable(context));
    if (isAvailable === 'failed') return 'failed';
    if (!isAvailable) return 'not_configured';
    const sets = await this.orFailed(context, () => this.vectors.setsOf(context.tenantId));
    if (sets === 'failed') return 'failed';
    return sets.length === 0 ? 'no_vectors' : null;
  }

  private async orFailed<Result>(
    { requestId, tenantId }: CallContext,
    byVector: () => Promise<Result>,
  ): Promise<Result | 'failed'> {
    try {
      return await byVector();
    } catch (error) {
      this.logger.warn({ err: error, requestId, tenantId }, 'A hybrid search used text only');
      return 'failed';
    }
  }
}

/** The file of a result, or its chunk. */
const keyIn = ({ group }: FindRequest, fileId: string, chunk: number) =>
  group === 'file' ? fileId : keyOf({ fileId, chunk });

const modelMessages: Record<NotSearched['reason'], (models: string) => string> = {
  failed: (models) =>
    `Vectors of some models were not searched, because the models did not answer: ${models}. Try again later.`,
  too_many_models: (models) =>
    `Your files have vectors of too many models. Those of the least used ones were not searched: ${models}. Embed all files with one model: \`kiln search reembed\`.`,
};

/** The models whose vectors did not take part in a search by vector. */
function modelsNotServed(notSearched: readonly NotSearched[]): NotServed[] {
  return (['failed', 'too_many_models'] as const).flatMap((reason) => {
    const models = notSearched.filter((one) => one.reason === reason).map(({ model }) => `"${model}"`);
    return models.length === 0 ? [] : [{ part: 'vector', reason, message: modelMessages[reason](models.join(', ')) }];
  });
}

const share = (score: number) => Math.min(1, Math.max(0, score));

/** Of a file whose best chunks by text and by vector differ, the one by text is shown. */
function foundOf({ score, text, vector }: Fused<RankedChunk, NearChunk>): FoundChunk {
  return {
    fileId: text?.fileId ?? vector?.fileId ?? '',
    chunk: text?.chunk ?? vector?.index ?? 0,
    score,
    scores: { text: text?.score ?? null, vector: vector === null ? null : share(vector.score), rerank: null },
    content: text,
  };
}
