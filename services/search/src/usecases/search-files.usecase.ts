import {
  badRequest,
  encodeId,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { termsOfQuery } from '../domain/analyzer.js';
import { normaliseScore } from '../domain/bm25.js';
import { cleanRecord, mediaType } from '../domain/clean-text.js';
import { facetsOfFilter } from '../domain/facet.js';
import { fitTexts } from '../domain/fit-texts.js';
import { makeSnippet } from '../domain/snippet.js';
import { SearchStore } from '../store/search.store.js';
import { MaintainIndex } from './maintain-index.usecase.js';

type SearchOperation = typeof searchOperations.search;

@Injectable()
export class SearchFiles {
  constructor(
    private readonly store: SearchStore,
    private readonly maintainIndex: MaintainIndex,
  ) {}

  /** One result per file, the best first. A query without any term (stop words, punctuation) finds nothing. */
  async execute(
    input: OperationInput<SearchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SearchOperation>> {
    if (input.mode === 'vector') {
      throw badRequest('mode: vector search needs an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    const terms = termsOfQuery(input.query);
    const nothing = { results: [], total: 0, query: input.query, mode: 'text' as const };
    if (terms.length === 0) return nothing;
    const facets = facetsOfFilter({
      space: input.space,
      contentType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    });
    const { files, total, weights, waiting } = await this.store.rank(context.tenantId, terms, facets, input.limit);
    this.maintainIndex.notice(context.tenantId, waiting);
    const weightByTerm = new Map(terms.map(({ term }, position) => [term, weights.terms[position] ?? 0]));
    const snippets = files.map(({ body }) => makeSnippet(body, weightByTerm));
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
