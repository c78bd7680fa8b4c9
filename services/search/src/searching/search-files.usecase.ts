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
import { SnippetMaker } from './domain/snippet-maker.js';
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
    const facets = facetsOfFilter({
      space: input.space,
      contentType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    });
    const { files, total, query, weights, unmerged } = await this.files.rank(context, input.query, facets, input.limit);
    this.mergeWorker.afterSearch(context.tenantId, unmerged);
    const maker = new SnippetMaker(query.terms, weights.terms);
    const snippets = files.map(({ body, language }) => maker.make(body, language));
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
    return { results, total, query: input.query, mode: 'text' };
  }
}
