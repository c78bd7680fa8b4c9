// Finds the parts of files that match a query by their words, by meaning, or by both, and shows each with its place and its file.
import { badRequest, type CallContext, type SearchInput, type SearchOutput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { Found } from './domain/found.js';
import { preferRecent } from './domain/prefer-recent.js';
import { searchFilterOf } from './domain/search-filter.js';
import { metadataBytesMax, showResults } from './domain/show-results.js';
import { ExistingFiles } from './existing-files.adapter.js';
import { RankChunks } from './rank-chunks.usecase.js';
import { RerankChunks } from './rerank-chunks.usecase.js';

type Request = SearchInput<'search'>;

/** A search is repeated when a file was replaced before its text was read. */
const TRIES = 3;
/** The best results are ordered anew by age or by a reranking model. */
const REORDERED_MIN = 100;

@Injectable()
export class SearchFiles {
  constructor(
    private readonly ranking: RankChunks,
    private readonly reranking: RerankChunks,
    @Inject(ExistingFiles) private readonly files: Pick<ExistingFiles, 'detailed'>,
  ) {}

  /**
   * Returns one result per file, or per chunk, the best first. A query without words (only punctuation or exclusions) finds nothing. Throws as
   * `RankChunks.rank` does, and BAD_REQUEST for options that exclude each other.
   */
  async execute(request: Request, context: CallContext): Promise<SearchOutput<'search'>> {
    assertOptions(request);
    for (let tries = 1; ; tries++) {
      const found = await this.find(request, context);
      if (tries < TRIES && found.chunks.some(({ content }) => content === null)) continue;
      const details = await this.detailsOf(found, context);
      const { mode, total, notServed } = found;
      const results = await showResults(found, found.chunks, details);
      return { results, total, query: request.query, mode, served: servedOf(found), not_served: [...notServed] };
    }
  }

  private async find(request: Request, context: CallContext): Promise<Found> {
    const { query, limit, recency, rerank } = request;
    const filter = searchFilterOf(request);
    const ranked = recency || rerank ? Math.max(limit, REORDERED_MIN) : limit;
    const found = await this.ranking.rank({
      mode: request.mode,
      query,
      filter,
      limit: ranked,
      group: request.group,
      maxPerFile: request.max_per_file,
      vectorWeight: request.hybrid?.weight,
      metadataBytesMax: recency || rerank ? undefined : metadataBytesMax(limit),
      context,
    });
    const recent = recency ? await this.preferRecent(found, recency, context) : found;
    const reranked = rerank ? await this.reranking.rerank(recent, query, context) : recent;
    return { ...reranked, chunks: reranked.chunks.slice(0, limit) };
  }

  private async preferRecent(
    found: Found,
    recency: NonNullable<Request['recency']>,
    context: CallContext,
  ): Promise<Found> {
    const { details } = await this.files.detailed(new Set(found.chunks.map(({ fileId }) => fileId)), 0, context);
    const createdAt = new Map([...details].map(([id, { created_at }]) => [id, created_at]));
    return { ...found, chunks: preferRecent(found.chunks, createdAt, recency, Date.now()) };
  }

  private async detailsOf({ chunks, details }: Found, context: CallContext) {
    const fileIds = new Set(chunks.map(({ fileId }) => fileId));
    if (details && [...fileIds].every((id) => details.has(id))) return details;
    return (await this.files.detailed(fileIds, metadataBytesMax(chunks.length), context)).details;
  }
}

function assertOptions({ mode, hybrid, group, max_per_file: maxPerFile }: Request): void {
  if (hybrid !== undefined && mode !== 'hybrid') throw badRequest('hybrid: requires the mode hybrid');
  if (maxPerFile !== undefined && group !== 'chunk') throw badRequest('max_per_file: requires group chunk');
}

function servedOf({ mode, chunks }: Found): SearchOutput<'search'>['served'] {
  const ranked = mode === 'hybrid' ? (['text', 'vector'] as const) : [mode];
  return chunks.some(({ scores }) => scores.rerank !== null) ? [...ranked, 'rerank'] : [...ranked];
}
