// An index whose documents have versions, so that a write that arrives late changes nothing. A tenant's documents are on one shard.
import { unavailable } from '@kiln/contracts';
import type { API } from '@opensearch-project/opensearch';
import type { OpenSearchConnection } from './opensearch-connection.adapter.js';
import type { VersionedDocument, VersionedId } from './versioned-document.domain.js';

const SEARCH_DEADLINE_MS = 10_000;
const WRITE_DEADLINE_MS = 60_000;
const DELETED_MAX = 10_000;

export interface VersionedIndexParts {
  connection: OpenSearchConnection;
  /** An alias. Writes require it, because OpenSearch would create a missing index without its definition. */
  name: string;
  definition: Record<string, unknown>;
  /** Creates the index when it is missing, or throws. Several processes can do it at the same time. */
  whenMissing: (index: { exists(): Promise<boolean>; create(): Promise<void> }) => Promise<void>;
  /** `wait_for`: a write ends at the next refresh. `true`: it refreshes at once, for tests. */
  refresh?: 'wait_for' | true;
}

/** `sent`: it is in the index, and searches find it. `outdated`: the index has a later version. `refused`: the index cannot hold it. */
export type SentOutcome = 'sent' | 'outdated' | 'refused';

export interface SearchBody<Hit> {
  timed_out: boolean;
  _shards: { failed: number };
  hits: { total?: { value: number }; hits: Hit[] };
}

interface BulkItem {
  status: number;
  error?: { type: string; reason: string | null };
}

/** All methods throw UNAVAILABLE while OpenSearch does not answer. */
export class VersionedIndex {
  private created: Promise<void> | null = null;

  constructor(private readonly parts: VersionedIndexParts) {}

  /** When this returns, searches find the documents that were sent, unless more of them follow. */
  async send(tenantId: string, documents: readonly VersionedDocument[], moreFollow = false): Promise<SentOutcome[]> {
    const lines = documents.flatMap(({ id, source, revision }) => [
      action('index', id, revision),
      JSON.stringify(source),
    ]);
    return (await this.bulk(tenantId, lines, moreFollow)).map((item) => outcomeOf(item));
  }

  /** Deletes documents, unless they have a later version. */
  async delete(tenantId: string, documents: readonly VersionedId[]): Promise<void> {
    const lines = documents.map(({ id, revision }) => action('delete', id, revision));
    for (const item of await this.bulk(tenantId, lines)) if (item.status !== 404 || item.error) outcomeOf(item);
  }

  /** Deletes a part of what a query finds. Returns true when there may be more. */
  async deleteFound(tenantId: string, query: object): Promise<boolean> {
    const { name: index } = this.parts;
    const parameters = {
      index,
      routing: tenantId,
      conflicts: 'proceed',
      max_docs: DELETED_MAX,
      refresh: true,
    } as const;
    const { deleted } = await this.parts.connection.request<{ deleted: number }>(WRITE_DEADLINE_MS, (client, options) =>
      client.deleteByQuery({ ...parameters, body: query }, options),
    );
    return deleted === DELETED_MAX;
  }

  async search<Hit>(tenantId: string, query: object): Promise<SearchBody<Hit>> {
    const { name: index } = this.parts;
    return complete(
      await this.parts.connection.request<SearchBody<Hit>>(SEARCH_DEADLINE_MS, (client, options) =>
        client.search({ index, routing: tenantId, allow_partial_search_results: false, body: query }, options),
      ),
    );
  }

  async searchAll<Hit>(tenantId: string, queries: readonly object[]): Promise<SearchBody<Hit>[]> {
    const header = { index: this.parts.name, routing: tenantId };
    const body = queries.flatMap((query) => [header, query]);
    const { responses } = await this.parts.connection.request<{ responses: SearchBody<Hit>[] }>(
      SEARCH_DEADLINE_MS,
      (client, options) => client.msearch({ body }, options),
    );
    return responses.map((response) => complete(response));
  }

  /** Creates the index if it is missing. */
  ensureCreated(): Promise<void> {
    this.created ??= this.createMissing().catch((error: unknown) => {
      this.created = null;
      throw error;
    });
    return this.created;
  }

  /** Whether the error of a search says that the index was lost. Then it is created again. */
  async wasLost(error: unknown): Promise<boolean> {
    if (!(error instanceof Error) || this.parts.connection.statusOf(error.cause) !== 404) return false;
    this.created = null;
    await this.ensureCreated();
    return true;
  }

  private async bulk(tenantId: string, lines: string[], moreFollow = false): Promise<BulkItem[]> {
    if (lines.length === 0) return [];
    await this.ensureCreated();
    const { name: index } = this.parts;
    const refresh = moreFollow ? false : (this.parts.refresh ?? 'wait_for');
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

  private async createMissing(): Promise<void> {
    const exists = () => this.exists();
    if (!(await exists())) await this.parts.whenMissing({ exists, create: () => this.create() });
  }

  private exists(): Promise<boolean> {
    const { connection, name } = this.parts;
    return connection.request<boolean>(WRITE_DEADLINE_MS, (client, options) =>
      client.indices.existsAlias({ name }, options),
    );
  }

  private async create(): Promise<void> {
    const { connection, name, definition } = this.parts;
    try {
      const body = { ...definition, aliases: { [name]: {} } } as unknown as API.Indices_Create_RequestBody;
      const index = `${name}-1`;
      await connection.request(WRITE_DEADLINE_MS, (client, options) => client.indices.create({ index, body }, options));
    } catch (error) {
      // Another process has created it.
      if (!(connection.statusOf(error) === 400 && String(error).includes('resource_already_exists_exception')))
        throw error;
    }
  }
}

/** A number in a text, because it may be higher than JavaScript's safe integers in a later release. */
const action = (name: 'index' | 'delete', id: string, revision: number) =>
  JSON.stringify({ [name]: { _id: id, version: revision, version_type: 'external_gte' } });

/** Results without those of a shard would be incomplete. */
function complete<Hit>(body: SearchBody<Hit> & { error?: unknown }): SearchBody<Hit> {
  if (body.error !== undefined || body.timed_out || body._shards.failed > 0) {
    throw unavailable('The search index', new Error(JSON.stringify(body.error ?? body._shards)));
  }
  return body;
}

/** Throws UNAVAILABLE if a repeat may succeed. */
function outcomeOf({ status, error }: BulkItem): SentOutcome {
  if (status < 300) return 'sent';
  if (status === 409) return 'outdated';
  if (status === 400 || status === 413) return 'refused';
  throw unavailable('The search index', new Error(`${error?.type}: ${error?.reason}`));
}
