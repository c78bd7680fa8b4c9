// Finds files in one of the modes.
import { badRequest, type CallContext, type TextLanguage } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import type { VectorHit } from '../vectors/vector-index.port.js';
import { normaliseScore } from './domain/bm25.js';
import { fuseRankings } from './domain/fuse-rankings.js';
import { searchQueryOf, type QueryTerm } from './domain/search-query.js';
import { RankByVector, type FindRequest } from './rank-by-vector.usecase.js';
import { RankExistingFiles, type RankingOf } from './rank-existing-files.usecase.js';

export type Mode = 'text' | 'vector' | 'hybrid';

/** A file with its score from 0 to 1, and its best chunk. */
export interface FoundFile {
  fileId: string;
  score: number;
  /** Null when the file was deleted or replaced before its text was read. */
  text: { body: string; language: TextLanguage } | null;
}

export interface Found extends RankingOf<FoundFile> {
  mode: Mode;
  /** The words to mark, and how much each counts. */
  terms: readonly QueryTerm[];
  weights: readonly number[];
}

/** Each ranking contributes so many files to a hybrid search, at least. */
const FUSED_MIN = 100;
/** After this time, a hybrid search returns what text found. */
const HYBRID_DEADLINE_MS = 4_000;
const VECTOR_DEADLINE_MS = 8_000;

@Injectable()
export class FindFiles {
  constructor(
    private readonly files: RankExistingFiles,
    private readonly vectors: RankByVector,
    private readonly mergeRequests: MergeRequests,
    @Inject(SEARCH_CONFIG) private readonly config: Pick<SearchConfig, 'KILN_HYBRID_VECTOR_WEIGHT'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * The best first. Mode `hybrid` finds by text when nothing can be found by vector. Mode `vector` throws BAD_REQUEST without a provider of
   * embeddings, and UNAVAILABLE while it fails.
   */
  find(mode: Mode, request: FindRequest): Promise<Found> {
    if (mode === 'text') return this.byText(request);
    return mode === 'vector' ? this.byVector(request) : this.byBoth(request);
  }

  private async byText(request: FindRequest): Promise<Found> {
    const { files, total, query, weights } = await this.rankTexts(request);
    const scored = files.map(({ fileId, score, ...text }) => ({
      fileId,
      score: normaliseScore(score, weights.scoreMax),
      text,
    }));
    return { files: scored, total, mode: 'text', terms: query.terms, weights: weights.terms };
  }

  private async byVector(request: FindRequest): Promise<Found> {
    if (!(await this.vectors.isAvailable(request.context))) {
      throw badRequest('mode: vector search requires an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    const { files, total } = await this.vectors.rank({ ...request, scores: 'exact' }, VECTOR_DEADLINE_MS);
    const texts = await this.vectors.textsOf(request.context, files);
    const scored = files.map(({ fileId, score }, position) => ({
      fileId,
      score: Math.min(1, Math.max(0, score)),
      text: texts[position] ?? null,
    }));
    const languages = new Set(texts.flatMap((text) => (text === null ? [] : [text.language])));
    const { terms } = searchQueryOf(request.query, [...languages]);
    return { files: scored, total, mode: 'vector', terms, weights: terms.map(() => 1) };
  }

  private async byBoth(request: FindRequest): Promise<Found> {
    if (!(await this.canRankByVector(request.context))) return this.byText(request);
    const deep = { ...request, limit: Math.max(request.limit, FUSED_MIN) };
    const [texts, vectors] = await Promise.all([this.rankTexts(deep), this.tryVectors(deep)]);
    if (vectors === null) return this.byText(request);
    const fused = fuseRankings(texts.files, vectors.files, {
      files: vectors.total,
      vectorWeight: this.config.KILN_HYBRID_VECTOR_WEIGHT,
    });
    const best = fused.slice(0, request.limit);
    const textOf = await this.readMissing(request.context, best);
    const files = best.map(({ fileId, score, text }) => ({ fileId, score, text: text ?? textOf.get(fileId) ?? null }));
    const total = texts.total + fused.length - texts.files.length;
    return { files, total, mode: 'hybrid', terms: texts.query.terms, weights: texts.weights.terms };
  }

  /** Reads the texts of files that only the vectors found. */
  private async readMissing(
    context: CallContext,
    files: readonly { text: unknown; vector: VectorHit | null }[],
  ): Promise<Map<string, FoundFile['text']>> {
    const hits = files.flatMap(({ text, vector }) => (text === null && vector !== null ? [vector] : []));
    const texts = await this.vectors.textsOf(context, hits);
    return new Map(hits.map(({ fileId }, position) => [fileId, texts[position] ?? null]));
  }

  private async rankTexts({ query, facets, limit, context }: FindRequest) {
    const ranking = await this.files.rank(context, query, facets, limit);
    this.mergeRequests.afterSearch(context.tenantId, ranking.unmerged);
    return ranking;
  }

  private async canRankByVector(context: CallContext): Promise<boolean> {
    try {
      return (await this.vectors.isAvailable(context)) && (await this.vectors.hasVectors(context));
    } catch (error) {
      return this.withoutVectors(error, context, false);
    }
  }

  private async tryVectors(request: FindRequest): Promise<RankingOf<VectorHit> | null> {
    try {
      return await this.vectors.rank({ ...request, scores: 'approximate' }, HYBRID_DEADLINE_MS);
    } catch (error) {
      return this.withoutVectors(error, request.context, null);
    }
  }

  private withoutVectors<Result>(error: unknown, { requestId, tenantId }: CallContext, result: Result): Result {
    this.logger.warn({ err: error, requestId, tenantId }, 'A hybrid search used text only');
    return result;
  }
}
