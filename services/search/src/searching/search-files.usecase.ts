import {
  encodeId,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type searchOperations,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { cleanRecord, mediaType } from '../analysis/domain/clean-text.js';
import { facetsOfFilter } from '../postings/domain/facet.js';
import { fitTexts } from './domain/fit-texts.js';
import { SnippetMaker } from './domain/snippet-maker.js';
import { FindFiles, type Found } from './find-files.usecase.js';

type SearchOperation = typeof searchOperations.search;

/** A search is repeated when a file was replaced before its text was read. */
const TRIES = 3;

@Injectable()
export class SearchFiles {
  constructor(private readonly files: FindFiles) {}

  /** Returns one result per file, the best first. A query without words (only punctuation or exclusions) finds nothing. */
  async execute(
    input: OperationInput<SearchOperation>,
    context: CallContext,
  ): Promise<OperationOutput<SearchOperation>> {
    const facets = facetsOfFilter({
      space: input.space,
      contentType: input.content_type === undefined ? undefined : mediaType(input.content_type),
      metadata: input.metadata === undefined ? undefined : cleanRecord(input.metadata),
    });
    for (let tries = 1; ; tries++) {
      const found = await this.files.find(input.mode, { query: input.query, facets, limit: input.limit, context });
      if (tries < TRIES && found.files.some(({ text }) => text === null)) continue;
      return { results: resultsOf(found), total: found.total, query: input.query, mode: found.mode };
    }
  }
}

/** Files whose text was not found any more are left out. */
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
