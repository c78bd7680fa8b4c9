// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Connections {
  constructor(protected readonly transport: Transport) {}

  /**
   * Verify a bucket and create its connection.
   *
   * Lists the bucket with the credentials. If that fails, returns 400 with the reason and creates nothing. Credentials are encrypted at rest and never returned.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/verify`
   */
  verify(
    body: Schemas['VerifyConnectionRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['VerifyConnectionResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/connections/verify', body, isKeyed: true }, options);
  }

  /**
   * Get the setup instructions for a provider.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/start`
   */
  start(
    body: Schemas['StartConnectionRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['StartConnectionResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/connections/start', body, isKeyed: true }, options);
  }

  /**
   * List the buckets visible to credentials.
   *
   * The credentials are not stored. Returns 400 with the reason if the provider rejects the request. Some providers allow a key to read one bucket but not to list buckets.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/list-buckets`
   */
  listBuckets(
    body: Schemas['ListConnectionBucketsRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['ListConnectionBucketsResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/connections/list-buckets', body, isKeyed: true }, options);
  }

  /**
   * List connection providers.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections/providers`
   */
  listProviders(options: RequestOptions = {}): Promise<Schemas['ListConnectionProvidersResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/connections/providers' }, options);
  }

  /**
   * Create a connection.
   *
   * Stores the connection without a request to the bucket. The connection is `pending` until its first successful test or sync. To test the bucket first, use `POST /v1/connections/verify`.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections`
   */
  create(body: Schemas['CreateConnectionRequest'], options: RequestOptions = {}): Promise<Schemas['Connection']> {
    return this.transport.json({ method: 'POST', path: '/v1/connections', body, isKeyed: true }, options);
  }

  /**
   * List connections.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections`
   */
  list(
    query: Query<'listConnections'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListConnectionsResponse'], Schemas['ListConnectionsResponse']['connections'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/connections', query }, 'connections', options);
  }

  /**
   * Get a connection.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections/{id}`
   */
  get(id: string, options: RequestOptions = {}): Promise<Schemas['Connection']> {
    return this.transport.json({ method: 'GET', path: '/v1/connections/{id}', parameters: [id] }, options);
  }

  /**
   * Update a connection.
   *
   * Changes the name, the region, the order of listings, the credentials, the schedule or the rules. Omitted fields keep their values. A new region and new credentials are tested first; if the bucket cannot be read with them, returns 400 with the reason and keeps the old ones. Nodes and syncs are kept.
   *
   * Needs the scope `connections:write`.
   *
   * `PATCH /v1/connections/{id}`
   */
  update(
    id: string,
    body: Schemas['UpdateConnectionRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['Connection']> {
    return this.transport.json({ method: 'PATCH', path: '/v1/connections/{id}', parameters: [id], body }, options);
  }

  /**
   * Delete a connection.
   *
   * Deletes its credentials and nodes. Files created from it are kept. Nothing in the bucket changes.
   *
   * Needs the scope `connections:write`.
   *
   * `DELETE /v1/connections/{id}`
   */
  delete(id: string, options: RequestOptions = {}): Promise<Schemas['DeleteConnectionResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/connections/{id}', parameters: [id] }, options);
  }

  /**
   * Test a connection.
   *
   * Lists the bucket, reads an object, and tries a signed URL. Returns 200 in either case: `success` is the result, `error` the reason for a failure. A `pending` connection becomes `active` after its first success. An `active` connection becomes `error` after a failure, and `active` again after the next success.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/{id}/test`
   */
  test(id: string, options: RequestOptions = {}): Promise<Schemas['TestConnectionResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/connections/{id}/test', parameters: [id], isKeyed: true },
      options,
    );
  }

  /**
   * Browse the objects of a bucket.
   *
   * Returns keys below the prefix of the connection, in the order of the provider. A page can hold fewer than `limit` objects without being the last. Returns 409 with the reason if the bucket cannot be listed, and 424 if it does not respond.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections/{id}/browse`
   */
  browse(
    id: string,
    query: Query<'browseConnection'> = {},
    options: RequestOptions = {},
  ): List<Schemas['BrowseConnectionResponse'], Schemas['BrowseConnectionResponse']['objects'][number]> {
    return this.transport.list(
      { method: 'GET', path: '/v1/connections/{id}/browse', parameters: [id], query },
      'objects',
      options,
    );
  }

  /**
   * Sync a connection with its bucket.
   *
   * Lists the bucket and updates the nodes, without reading bytes. The request waits up to 10 seconds. A longer sync returns as `syncing` and continues in the background. Returns 409 if another sync is running. Nodes are removed only after the whole bucket has been listed. A sync that would remove more than 20 nodes and more than half of all nodes fails with `too_many_deletions`, unless `force` is true.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/{id}/sync`
   */
  startSync(
    id: string,
    body: Schemas['StartSyncRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['Sync']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/connections/{id}/sync', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Cancel the running sync.
   *
   * The sync ends as `cancelled`. Nodes found so far are kept, and none are removed. Returns 409 if no sync is pending or running.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/{id}/sync/cancel`
   */
  cancelSync(id: string, options: RequestOptions = {}): Promise<Schemas['Sync']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/connections/{id}/sync/cancel', parameters: [id], isKeyed: true },
      options,
    );
  }

  /**
   * Preview a sync.
   *
   * Lists the bucket and returns what a sync would change, without changing anything. If listing takes longer than about 15 seconds, the preview covers the part that was listed, and `complete` is false.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/connections/{id}/sync/preview`
   */
  previewSync(id: string, options: RequestOptions = {}): Promise<Schemas['PreviewSyncResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/connections/{id}/sync/preview', parameters: [id], isKeyed: true },
      options,
    );
  }

  /**
   * Get the progress of the newest sync.
   *
   * `total` is the number of objects counted by the last complete sync, because the size of a bucket is unknown until it has been listed.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections/{id}/sync/progress`
   */
  getSyncProgress(id: string, options: RequestOptions = {}): Promise<Schemas['GetSyncProgressResponse']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/connections/{id}/sync/progress', parameters: [id] },
      options,
    );
  }

  /**
   * List the syncs of a connection.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/connections/{id}/sync/history`
   */
  listSyncs(
    id: string,
    query: Query<'listSyncs'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListSyncsResponse'], Schemas['ListSyncsResponse']['syncs'][number]> {
    return this.transport.list(
      { method: 'GET', path: '/v1/connections/{id}/sync/history', parameters: [id], query },
      'syncs',
      options,
    );
  }
}
