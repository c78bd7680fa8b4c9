// Finds files by their words, by the vectors of their chunks, or by both, and shows the part of each that matches best.
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
import { SEARCH_CONFIG, type SearchConfig } from '../config.js';
import { TEXT_INDEX, type ChunkText, type TextIndex } from '../text-index/text-index.port.js';
import type { VectorHit } from '../vectors/vector-index.port.js';
import { VectorSearch } from '../vectors/vector-search.service.js';
import { fitTexts } from './domain/fit-texts.js';
import { fuseRankings } from './domain/fuse-rankings.js';
import { searchQueryOf, type QueryTerm } from './domain/search-query.js';
import { SnippetMaker } from './domain/snippet.js';
import { RankByVector, type FindRequest } from './rank-by-vector.usecase.js';
import { RankExistingFiles, type RankingOf } from './rank-existing-files.usecase.js';

type SearchOperation = typeof searchOperations.search;

/** A file with its score from 0 to 1, and its best chunk. */
interface FoundFile {
  fileId: string;
  score: number;
  /** Null when the file was deleted or replaced before its text was read. */
  text: ChunkText | null;
}

interface Found extends RankingOf<FoundFile> {
  mode: OperationInput<SearchOperation>['mode'];
  /** The words to mark, and how much each counts. */
  terms: readonly QueryTerm[];
  weights: readonly number[];
}

/** A search is repeated when a file was replaced before its text was read. */
const TRIES = 3;
/** Each ranking contributes at least this many files to a hybrid search. */
const FUSED_MIN = 100;
/** After this time, a hybrid search returns what text found. */
const HYBRID_DEADLINE_MS = 4_000;
const VECTOR_DEADLINE_MS = 8_000;

@Injectable()
export class SearchFiles {
  constructor(
    private readonly texts: RankExistingFiles,
    private readonly ranking: RankByVector,
    private readonly vectors: VectorSearch,
    @Inject(TEXT_INDEX) private readonly index: Pick<TextIndex, 'readTexts'>,
    @Inject(SEARCH_CONFIG) private readonly config: Pick<SearchConfig, 'KILN_HYBRID_VECTOR_WEIGHT'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Returns one result per file, the best first. A query without words (only punctuation or exclusions) finds nothing. Mode `hybrid` finds by
   * text when nothing can be found by vector. Mode `vector` throws BAD_REQUEST without a provider of embeddings, and UNAVAILABLE while it fails.
   */
  async execute(
    { mode, query, limit, space, content_type: contentType, metadata }: OperationInput<SearchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SearchOperation>> {
    for (let tries = 1; ; tries++) {
      const found = await this.find(mode, { query, filter: { space, contentType, metadata }, limit, context });
      if (tries < TRIES && found.files.some(({ text }) => text === null)) continue;
      return { results: resultsOf(found), total: found.total, query, mode: found.mode };
    }
  }

  private find(mode: Found['mode'], request: FindRequest): Promise<Found> {
    if (mode === 'text') return this.byText(request);
    return mode === 'vector' ? this.byVector(request) : this.byBoth(request);
  }

  private async byText({ query, filter, limit, context }: FindRequest): Promise<Found> {
    const { files, total, terms, weights } = await this.texts.rank(context, query, filter, limit);
    const found = files.map(({ fileId, score, ...text }) => ({ fileId, score, text }));
    return { files: found, total, mode: 'text', terms, weights: weights.terms };
  }

  private async byVector(request: FindRequest): Promise<Found> {
    const { query, context } = request;
    if (!(await this.vectors.isAvailable(context))) {
      throw badRequest('mode: vector search requires an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    const { files, total } = await this.ranking.rank({ ...request, scores: 'exact' }, VECTOR_DEADLINE_MS);
    const texts = await this.index.readTexts(context.tenantId, files);
    const found = files.map(({ fileId, score }, position) => ({
      fileId,
      score: Math.min(1, Math.max(0, score)),
      text: texts[position] ?? null,
    }));
    const languages = new Set(texts.flatMap((text) => (text === null ? [] : [text.language])));
    const { terms } = searchQueryOf(query, [...languages]);
    return { files: found, total, mode: 'vector', terms, weights: terms.map(() => 1) };
  }

  private async byBoth(request: FindRequest): Promise<Found> {
    const { query, filter, context } = request;
    if (!(await this.orText(context, () => this.vectors.canFind(context)))) return this.byText(request);
    const limit = Math.max(request.limit, FUSED_MIN);
    const [texts, vectors] = await Promise.all([
      this.texts.rank(context, query, filter, limit),
      this.orText(context, () => this.ranking.rank({ ...request, limit, scores: 'approximate' }, HYBRID_DEADLINE_MS)),
    ]);
    if (vectors === null) return this.byText(request);
    const fused = fuseRankings(texts.files, vectors.files, {
      files: vectors.total,
      vectorWeight: this.config.KILN_HYBRID_VECTOR_WEIGHT,
    });
    const best = fused.slice(0, request.limit);
    const textOf = await this.readMissing(context, best);
    const files = best.map(({ fileId, score, text }) => ({ fileId, score, text: text ?? textOf.get(fileId) ?? null }));
    const total = texts.total + fused.length - texts.files.length;
    return { files, total, mode: 'hybrid', terms: texts.terms, weights: texts.weights.terms };
  }

  /** Reads the texts of files that only the vectors found. */
  private async readMissing(
    { tenantId }: CallContext,
    files: readonly { text: unknown; vector: VectorHit | null }[],
  ): Promise<Map<string, FoundFile['text']>> {
    const hits = files.flatMap(({ text, vector }) => (text === null && vector !== null ? [vector] : []));
    const texts = await this.index.readTexts(tenantId, hits);
    return new Map(hits.map(({ fileId }, position) => [fileId, texts[position] ?? null]));
  }

  /** Null when the vectors fail: then a hybrid search uses text only. */
  private async orText<Result>(
    { requestId, tenantId }: CallContext,
    byVector: () => Promise<Result>,
  ): Promise<Result | null> {
    try {
      return await byVector();
    } catch (error) {
      this.logger.warn({ err: error, requestId, tenantId }, 'A hybrid search used text only');
      return null;
    }
  }
}

/** Files whose text is gone are left out. */
function resultsOf({ files, terms, weights }: Found): OperationOutput<SearchOperation>['results'] {
  const shown = files.flatMap(({ fileId, score, text }) => (text === null ? [] : [{ ...text, fileId, score }]));
  const maker = new SnippetMaker(terms, weights);
  const snippets = shown.map(({ body, language }) => maker.make(body, language));
  const texts = fitTexts(
    shown.map(({ body }) => body),
    snippets,
  );
  return texts.map((text, position) => {
    const { fileId, score } = shown[position] as (typeof shown)[number];
    return { file_id: encodeId('file', fileId), score, snippet: snippets[position] ?? '', ...text };
  });
}
