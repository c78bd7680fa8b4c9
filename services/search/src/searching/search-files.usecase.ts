import {
  badRequest,
  encodeId,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { normaliseScore } from './domain/bm25.js';
import { cleanRecord, mediaType } from '../analysis/domain/clean-text.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { fitTexts } from './domain/fit-texts.js';
import { searchQueryOf } from './domain/search-query.js';
import { makeSnippet } from './domain/snippet.js';
import { TermFinder } from './domain/term-finder.js';
import { RankExistingFiles } from './rank-existing-files.js';
import { MergeWorker } from '../merging/merge.worker.js';

type SearchOperation = typeof searchOperations.search;

@Injectable()
export class SearchFiles {
  constructor(
    private readonly files: RankExistingFiles,
    private readonly mergeWorker: MergeWorker,
  ) {}

  /** Returns one result per file, the best first. A query without terms (only stop words, punctuation or exclusions) finds nothing. */
  async execute(
    input: OperationInput<SearchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SearchOperation>> {
    if (input.mode === 'vector') {
      throw badRequest('mode: vector search requires an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    const query = searchQueryOf(input.query);
    const { terms } = query;
    const nothing = { results: [], total: 0, query: input.query, mode: 'text' as const };
    if (terms.length === 0) return nothing;
    const facets = facetsOfFilter({
      space: input.space,
      contentType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    });
    const { files, total, weights, unmerged } = await this.files.rank(context, query, facets, input.limit);
    this.mergeWorker.afterSearch(context.tenantId, unmerged);
    const weightByTerm = new Map(terms.map(({ term }, position) => [term, weights.terms[position] ?? 0]));
    const finder = new TermFinder(weightByTerm.keys());
    const snippets = files.map(({ body }) => makeSnippet(body, weightByTerm, finder));
    const texts = fitTexts(
      files.map(({ body }) => body),
      snippets,
    );
    const results = files.map(({ fileId, score }, position) => ({
      file_id: encodeId('file', fileId),
      score: normaliseScore(score, weights.scoreMax),
      snippet: snippets[position] ?? '',
      chunk_text: texts[position] ?? '',
    }));
    return { ...nothing, results, total };
  }
}
