// Stores and searches postings in OpenSearch. All documents of a tenant are on one shard, so one shard knows the frequencies of its terms.
import { unavailable } from '@kiln/contracts';
import { FILES_PER_REQUEST_MAX, documentId, indexDefinition } from './index-definition.domain.js';
import type { OpenSearchConnection } from './opensearch-connection.adapter.js';
import { frequencyQueries, matchQuery, rankingQuery } from './queries.domain.js';
import { rankedFile, versionOf, type Hit } from './ranked-hits.domain.js';
import type { RemoteIndex, RemoteMatch, RemoteRanked, RemoteRanking } from '../text-index/remote-index.port.js';
import type { VersionedDocument } from './versioned-document.domain.js';
import { VersionedIndex, type SentOutcome, type VersionedIndexParts } from './versioned-index.adapter.js';

const PING_DEADLINE_MS = 2_000;

interface OpenSearchIndexParts extends Pick<VersionedIndexParts, 'name' | 'refresh'> {
  connection: OpenSearchConnection;
  shards: number;
  replicas: number;
  /** Whether an index that is missing may be created. An index that was lost is not replaced by an empty one, which would find nothing. */
  mayCreate: () => Promise<boolean>;
}

/** All methods throw UNAVAILABLE while OpenSearch does not answer. */
export class OpenSearchIndex implements RemoteIndex {
  private readonly index: VersionedIndex;

  constructor(private readonly parts: OpenSearchIndexParts) {
    const { name, shards, replicas, mayCreate } = parts;
    this.index = new VersionedIndex({
      ...parts,
      definition: indexDefinition(shards, replicas),
      whenMissing: async (index) => {
        if (!(await mayCreate())) throw unavailable('The search index', new Error(`The index ${name} was lost.`));
        await index.create();
      },
    });
  }

  async frequencies(tenantId: string, terms: readonly string[]): Promise<number[]> {
    if (terms.length === 0) return [];
    const queries = terms.flatMap((term) => frequencyQueries(tenantId, term));
    const responses = await this.index.searchAll<Hit>(tenantId, queries);
    const scores = responses.map(({ hits }) => hits.hits[0]?._score ?? 0);
    return terms.map((_, position) => (scores[2 * position] ?? 0) + (scores[2 * position + 1] ?? 0));
  }

  async rank(ranking: RemoteRanking): Promise<RemoteRanked> {
    if (ranking.terms.length === 0) return { files: [], total: 0 };
    const { hits } = await this.index.search<Hit>(ranking.tenantId, rankingQuery(ranking));
    return { files: hits.hits.map((hit) => rankedFile(hit, ranking)), total: hits.total?.value ?? 0 };
  }

  async match(match: RemoteMatch, limit: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < limit) {
      const size = Math.min(limit - ids.length, FILES_PER_REQUEST_MAX);
      const { hits } = await this.index.search<Hit>(match.tenantId, matchQuery(match, size, ids.at(-1) ?? null));
      ids.push(...hits.hits.map((hit) => versionOf(hit).fileId));
      if (hits.hits.length < size) break;
    }
    return ids;
  }

  /** Writes documents of a tenant. When this returns, searches find those that were sent. */
  send(tenantId: string, documents: readonly VersionedDocument[]): Promise<SentOutcome[]> {
    return this.index.send(tenantId, documents);
  }

  /** Deletes the documents of files, unless they have a later version. */
  delete(tenantId: string, files: readonly { fileId: string; revision: number }[]): Promise<void> {
    return this.index.delete(
      tenantId,
      files.map(({ fileId, revision }) => ({ id: documentId(tenantId, fileId), revision })),
    );
  }

  /** Rejects while the index cannot answer. */
  async ping(): Promise<void> {
    await this.parts.connection.request(PING_DEADLINE_MS, (client, options) =>
      client.cluster.health({ index: this.parts.name, expand_wildcards: 'all', level: 'cluster' }, options),
    );
  }

  close(): Promise<void> {
    return this.parts.connection.close();
  }
}
