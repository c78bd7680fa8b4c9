// Stores and searches postings in OpenSearch. All documents of a tenant are on one shard, so one shard knows the frequencies of its terms.
import { unavailable } from '@kiln/contracts';
import type { API } from '@opensearch-project/opensearch';
import type { FileDocument } from './file-document.domain.js';
import { FILES_PER_REQUEST_MAX, documentId, indexDefinition } from './index-definition.domain.js';
import { OpenSearchConnection, statusOf } from './opensearch-connection.adapter.js';
import { frequencyQueries, matchQuery, rankingQuery } from './queries.domain.js';
import { rankedFile, versionOf, type Hit } from './ranked-hits.domain.js';
import type { RemoteIndex, RemoteMatch, RemoteRanked, RemoteRanking } from '../text-index/remote-index.port.js';

const SEARCH_DEADLINE_MS = 10_000;
const WRITE_DEADLINE_MS = 60_000;
const PING_DEADLINE_MS = 2_000;

interface OpenSearchIndexParts {
  connection: OpenSearchConnection;
  /** An alias. Writes require it, because OpenSearch would create a missing index without its definition. */
  name: string;
  shards: number;
  replicas: number;
  /** Whether an index that is missing may be created. */
  mayCreate: () => Promise<boolean>;
  /** `wait_for`: a write ends at the next refresh. `true`: it refreshes at once, for tests. */
  refresh?: 'wait_for' | true;
}

/** `sent`: it is in the index, and searches find it. `outdated`: the index has a later version. `refused`: the index cannot hold it. */
type SentOutcome = 'sent' | 'outdated' | 'refused';

export interface VersionedDocument extends FileDocument {
  /** The higher one wins. */
  revision: number;
}

interface SearchBody {
  timed_out: boolean;
  _shards: { failed: number };
  hits: { total?: { value: number }; hits: Hit[] };
}

interface BulkItem {
  status: number;
  error?: { type: string; reason: string | null };
}

export class OpenSearchIndex implements RemoteIndex {
  private created: Promise<void> | null = null;

  constructor(private readonly parts: OpenSearchIndexParts) {}

  async frequencies(tenantId: string, terms: readonly string[]): Promise<number[]> {
    if (terms.length === 0) return [];
    const queries = terms.flatMap((term) => frequencyQueries(tenantId, term));
    const header = { index: this.parts.name, routing: tenantId };
    const body = queries.flatMap((query) => [header, query]);
    const { responses } = await this.parts.connection.request<{ responses: SearchBody[] }>(
      SEARCH_DEADLINE_MS,
      (client, options) => client.msearch({ body }, options),
    );
    const scores = responses.map((response) => complete(response).hits.hits[0]?._score ?? 0);
    return terms.map((_, position) => (scores[2 * position] ?? 0) + (scores[2 * position + 1] ?? 0));
  }

  async rank(ranking: RemoteRanking): Promise<RemoteRanked> {
    if (ranking.terms.length === 0) return { files: [], total: 0 };
    const { hits } = await this.search(ranking.tenantId, rankingQuery(ranking));
    return { files: hits.hits.map((hit) => rankedFile(hit, ranking)), total: hits.total?.value ?? 0 };
  }

  async match(match: RemoteMatch, limit: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < limit) {
      const size = Math.min(limit - ids.length, FILES_PER_REQUEST_MAX);
      const { hits } = await this.search(match.tenantId, matchQuery(match, size, ids.at(-1) ?? null));
      ids.push(...hits.hits.map((hit) => versionOf(hit).fileId));
      if (hits.hits.length < size) break;
    }
    return ids;
  }

  /** Writes documents of a tenant. When this returns, searches find those that were sent. Throws UNAVAILABLE as all methods. */
  async send(tenantId: string, documents: readonly VersionedDocument[]): Promise<SentOutcome[]> {
    await this.ensureCreated();
    const lines = documents.flatMap(({ id, source, revision }) => [
      action('index', id, revision),
      JSON.stringify(source),
    ]);
    const items = await this.bulk(tenantId, lines);
    return items.map((item) => outcomeOf(item));
  }

  /** Deletes the documents of files, unless they have a later version. */
  async delete(tenantId: string, files: readonly { fileId: string; revision: number }[]): Promise<void> {
    await this.ensureCreated();
    const lines = files.map(({ fileId, revision }) => action('delete', documentId(tenantId, fileId), revision));
    for (const item of await this.bulk(tenantId, lines)) if (item.status !== 404 || item.error) outcomeOf(item);
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

  private async search(tenantId: string, query: Record<string, unknown>): Promise<SearchBody> {
    const { name: index } = this.parts;
    return complete(
      await this.parts.connection.request<SearchBody>(SEARCH_DEADLINE_MS, (client, options) =>
        client.search({ index, routing: tenantId, allow_partial_search_results: false, body: query }, options),
      ),
    );
  }

  private async bulk(tenantId: string, lines: string[]): Promise<BulkItem[]> {
    const { name: index, refresh = 'wait_for' } = this.parts;
    const { items } = await this.parts.connection.request<{ items: Record<string, BulkItem>[] }>(
      WRITE_DEADLINE_MS,
      (client, options) =>
        client.bulk(
          { index, routing: tenantId, refresh, require_alias: true, body: lines as unknown as API.Bulk_RequestBody },
          options,
        ),
    );
    const results = items.flatMap((item) => Object.values(item));
    if (results.some(({ error }) => error?.type === 'index_not_found_exception')) this.created = null;
    return results;
  }

  /** Creates the index before the first write. An index that was lost is not replaced by an empty one, which would find nothing. */
  private ensureCreated(): Promise<void> {
    this.created ??= this.create().catch((error: unknown) => {
      this.created = null;
      throw error;
    });
    return this.created;
  }

  private async create(): Promise<void> {
    const { name, shards, replicas, mayCreate } = this.parts;
    const exists = await this.parts.connection.request<boolean>(WRITE_DEADLINE_MS, (client, options) =>
      client.indices.existsAlias({ name }, options),
    );
    if (exists) return;
    if (!(await mayCreate())) throw unavailable('The text index', new Error(`The index ${name} was lost.`));
    try {
      const definition = { ...indexDefinition(shards, replicas), aliases: { [name]: {} } };
      const body = definition as unknown as API.Indices_Create_RequestBody;
      const index = `${name}-1`;
      await this.parts.connection.request(WRITE_DEADLINE_MS, (client, options) =>
        client.indices.create({ index, body }, options),
      );
    } catch (error) {
      // Another process has created it.
      if (!(statusOf(error) === 400 && String(error).includes('resource_already_exists_exception'))) throw error;
    }
  }
}

/** A number in a text, because it may be higher than JavaScript's safe integers in a later release. */
const action = (name: 'index' | 'delete', id: string, revision: number) =>
  JSON.stringify({ [name]: { _id: id, version: revision, version_type: 'external_gte' } });

/** Results without those of a shard would be incomplete. */
function complete(body: SearchBody & { error?: unknown }): SearchBody {
  if (body.error !== undefined || body.timed_out || body._shards.failed > 0) {
    throw unavailable('The text index', new Error(JSON.stringify(body.error ?? body._shards)));
  }
  return body;
}

/** Throws UNAVAILABLE if a repeat may succeed. */
function outcomeOf({ status, error }: BulkItem): SentOutcome {
  if (status < 300) return 'sent';
  if (status === 409) return 'outdated';
  if (status === 400 || status === 413) return 'refused';
  throw unavailable('The text index', new Error(`${error?.type}: ${error?.reason}`));
}
