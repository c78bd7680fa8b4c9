import type { Kiln, Schemas } from '@kiln/sdk';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';

/** The options of a search: `mode`, `space`, `filter`, `limit`, `rerank` and others. The defaults are those of the API. */
export type SearchOptions = Omit<Schemas['SearchRequest'], 'query' | 'group'>;

export interface KilnRetrieverInput extends BaseRetrieverInput {
  kiln: Kiln;
  search?: SearchOptions;
}

/** The result of the API without its text. A field is missing if the API has left it out; `omitted` names it. */
export type RetrievedMetadata = Omit<
  Schemas['SearchResult'],
  'text' | 'chunk_text' | 'snippet' | 'highlights' | 'metadata'
> & {
  /** The metadata of the file. */
  file_metadata?: Schemas['SearchResult']['metadata'];
  /** The parts of the search that took part: a part that is missing was not configured, or has failed. */
  served: Schemas['SearchResponse']['served'];
};

/**
 * Searches Kiln, and returns the chunks as documents, the best first. Their texts are untrusted.
 *
 * Rejects with the errors of the SDK. No document is the answer to a query that finds nothing.
 */
export class KilnRetriever extends BaseRetriever<RetrievedMetadata> {
  static override lc_name() {
    return 'KilnRetriever';
  }

  override lc_namespace = ['kiln', 'retrievers'];
  readonly #kiln: Kiln;
  readonly #search: SearchOptions;

  constructor({ kiln, search = {}, ...rest }: KilnRetrieverInput) {
    super(rest);
    this.#kiln = kiln;
    this.#search = search;
  }

  override async _getRelevantDocuments(query: string): Promise<Document<RetrievedMetadata>[]> {
    const { results, served } = await this.#kiln.search.query({ ...this.#search, query, group: 'chunk' });
    return results.map((result) => documentOf(result, served));
  }
}

function documentOf(
  result: Schemas['SearchResult'],
  served: Schemas['SearchResponse']['served'],
): Document<RetrievedMetadata> {
  const { text, chunk_text: _, snippet: _snippet, highlights: _highlights, metadata, ...rest } = result;
  return new Document<RetrievedMetadata>({
    id: `${rest.file_id}:${rest.chunk_index}`,
    pageContent: text,
    metadata: { ...rest, ...(metadata && { file_metadata: metadata }), served },
  });
}
