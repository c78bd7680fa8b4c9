import {
  badRequest,
  encodeId,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { normaliseScore, type RankingWeights } from './domain/bm25.js';
import { cleanRecord, mediaType } from '../analysis/domain/clean-text.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { fitTexts } from './domain/fit-texts.js';
import { fuseRankings } from './domain/fuse-rankings.js';
import { meaningOf, searchQueryOf } from './domain/search-query.js';
import { makeSnippet } from './domain/snippet.js';
import { TermFinder } from './domain/term-finder.js';
import { RankByVector, type VectorRequest } from './rank-by-vector.js';
import { RankExistingFiles, type RankingOf } from './rank-existing-files.js';
import { MergeWorker } from '../merging/merge.worker.js';
import type { VectorHit } from '../vectors/vector-index.port.js';

type SearchOperation = typeof searchOperations.search;
type Input = OperationInput<SearchOperation>;
type Output = OperationOutput<SearchOperation>;

/** A file with its score from 0 to 1. The text of its best chunk is null when the file was replaced before the text was read. */
interface FoundFile {
  fileId: string;
  score: number;
  body: string | null;
}

interface Found extends RankingOf<FoundFile> {
  mode: Output['mode'];
  /** The weight of each term of the query, by its position. */
  weights: readonly number[];
}

/** Each ranking contributes so many files to a hybrid search, at least. */
const FUSED_MIN = 100;
/** After this time, a hybrid search returns what text found. */
const HYBRID_DEADLINE_MS = 4_000;
const VECTOR_DEADLINE_MS = 8_000;
/** A search is repeated when a file was replaced before its text was read. */
const TRIES = 3;

@Injectable()
export class SearchFiles {
  constructor(
    private readonly files: RankExistingFiles,
    private readonly vectors: RankByVector,
    private readonly mergeWorker: MergeWorker,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Returns one result per file, the best first. A query without words (only punctuation or exclusions) finds nothing. */
  async execute(input: Input, context: CallContext): Promise<Output> {
    const facets = facetsOfFilter({
      space: input.space,
      contentType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    });
    const query = searchQueryOf(input.query);
    const request = { query, meaning: meaningOf(input.query), facets, limit: input.limit, context };
    for (let tries = 1; ; tries++) {
      const found = await this.find(input.mode, request);
      if (tries < TRIES && found.files.some(({ body }) => body === null)) continue;
      return { ...showFound(found, request), total: found.total, query: input.query, mode: found.mode };
    }
  }

  private find(mode: Input['mode'], request: VectorRequest): Promise<Found> {
    if (mode === 'text') return this.byText(request);
    return mode === 'vector' ? this.byVector(request) : this.byBoth(request);
  }

  private async byText(request: VectorRequest): Promise<Found> {
    const { files, total, weights } = await this.rankTexts(request);
    const scored = files.map((file) => ({ ...file, score: normaliseScore(file.score, weights.scoreMax) }));
    return { files: scored, total, mode: 'text', weights: weights.terms };
  }

  private async byVector(request: VectorRequest): Promise<Found> {
    const { meaning, context, query } = request;
    if (!(await this.vectors.isAvailable(context))) {
      throw badRequest('mode: vector search requires an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    if (meaning === '') return { files: [], total: 0, mode: 'vector', weights: [] };
    const { files, total } = await this.vectors.rank(request, VECTOR_DEADLINE_MS);
    const bodies = await this.vectors.textsOf(context, files);
    const scored = files.map(({ fileId, score }, position) => ({
      fileId,
      score: Math.min(1, Math.max(0, score)),
      body: bodies[position] ?? null,
    }));
    return { files: scored, total, mode: 'vector', weights: query.terms.map(() => 1) };
  }

  private async byBoth(request: VectorRequest): Promise<Found> {
    const deep = { ...request, limit: Math.max(request.limit, FUSED_MIN) };
    if (!(await this.canRankByVector(request))) return this.byText(request);
    const [texts, vectors] = await Promise.all([this.rankTexts(deep), this.tryVectors(deep)]);
    if (vectors === null) return this.byText(request);
    const fused = fuseRankings(texts.files, vectors.files);
    const best = fused.slice(0, request.limit);
    const without = best.flatMap(({ text, vector }) => (text === null && vector !== null ? [vector] : []));
    const bodies = await this.vectors.textsOf(request.context, without);
    const bodyOf = new Map(without.map(({ fileId }, position) => [fileId, bodies[position] ?? null]));
    const files = best.map(({ fileId, score, text }) => ({
      fileId,
      score,
      body: text ? text.body : (bodyOf.get(fileId) ?? null),
    }));
    const foundByVectorOnly = fused.length - texts.files.length;
    return { files, total: texts.total + foundByVectorOnly, mode: 'hybrid', weights: texts.weights.terms };
  }

  /** A query without terms (only stop words, punctuation or exclusions) finds nothing. */
  private async rankTexts({ query, facets, limit, context }: VectorRequest) {
    if (query.terms.length === 0) return { files: [], total: 0, weights: NO_WEIGHTS };
    const ranking = await this.files.rank(context, query, facets, limit);
    this.mergeWorker.afterSearch(context.tenantId, ranking.unmerged);
    return ranking;
  }

  private async canRankByVector({ meaning, context }: VectorRequest): Promise<boolean> {
    try {
      return meaning !== '' && (await this.vectors.isAvailable(context)) && (await this.vectors.hasVectors(context));
    } catch (error) {
      return this.withoutVectors(error, context, false);
    }
  }

  private async tryVectors(request: VectorRequest): Promise<RankingOf<VectorHit> | null> {
    try {
      return await this.vectors.rank(request, HYBRID_DEADLINE_MS);
    } catch (error) {
      return this.withoutVectors(error, request.context, null);
    }
  }

  private withoutVectors<Result>(error: unknown, { requestId, tenantId }: CallContext, result: Result): Result {
    this.logger.warn({ err: error, requestId, tenantId }, 'A hybrid search used text only');
    return result;
  }
}

const NO_WEIGHTS: RankingWeights = { terms: [], averageChunkLength: 0, averageTitleLength: 0, scoreMax: 0 };

/** Files whose text was not found any more are left out. */
function showFound({ files, weights }: Found, { query }: VectorRequest): Pick<Output, 'results'> {
  const shown = files.flatMap(({ body, ...file }) => (body === null ? [] : [{ ...file, body }]));
  const weightByTerm = new Map(query.terms.map(({ term }, position) => [term, weights[position] ?? 0]));
  const finder = new TermFinder(weightByTerm.keys());
  const snippets = shown.map(({ body }) => makeSnippet(body, weightByTerm, finder));
  const texts = fitTexts(
    shown.map(({ body }) => body),
    snippets,
  );
  const results = shown.map(({ fileId, score }, position) => ({
    file_id: encodeId('file', fileId),
    score,
    snippet: snippets[position] ?? '',
    chunk_text: texts[position] ?? '',
  }));
  return { results };
}
