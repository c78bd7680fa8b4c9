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
import { normaliseScore, planRanking } from '../domain/bm25.js';
import { cleanRecord, mediaType } from '../domain/clean-text.js';
import { fitTexts } from '../domain/fit-texts.js';
import { makeSnippet } from '../domain/snippet.js';
import { SearchStore } from '../store/search.store.js';

type SearchOperation = typeof searchOperations.search;

/** Further terms of a query are ignored: each costs a count in every candidate. */
const TERMS_MAX = 64;

@Injectable()
export class SearchFiles {
  constructor(private readonly store: SearchStore) {}

  /** One result per file, the best first. A query without any term (stop words, punctuation) finds nothing. */
  async execute(
    input: OperationInput<SearchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SearchOperation>> {
    if (input.mode === 'vector') {
      throw badRequest('mode: vector search needs an embedding provider. Set KILN_EMBEDDING_URL, or use mode text.');
    }
    const terms = termsOfQuery(input.query, TERMS_MAX);
    const statistics = await this.store.statistics(context.tenantId, terms);
    const plan = planRanking(terms, statistics);
    const nothing = { results: [], total: 0, query: input.query, mode: 'text' as const };
    if (plan.drivers.length === 0) return nothing;
    const filter = {
      space: input.space,
      mediaType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    };
    const { files, total } = await this.store.rank(context.tenantId, plan, filter, input.limit);
    const weights = new Map(plan.terms.map((term, position) => [term, plan.weights[position] ?? 0]));
    const snippets = files.map(({ body }) => makeSnippet(body, weights));
    const texts = fitTexts(
      files.map(({ body }) => body),
      snippets,
    );
    const results = files.map(({ fileId, score }, position) => ({
      file_id: encodeId('file', fileId),
      score: normaliseScore(score, plan.scoreMax),
      snippet: snippets[position] ?? '',
      chunk_text: texts[position] ?? '',
    }));
    return { ...nothing, results, total };
  }
}
