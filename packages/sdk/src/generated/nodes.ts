// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Nodes {
  constructor(protected readonly transport: Transport) {}

  /**
   * Create an upload into a connected bucket.
   *
   * Send the bytes to `upload_url` with PUT and `upload_headers`, then commit the upload. If you declare a content type or a size, the upload must match it where the provider can enforce that. If the path is already a node, its `node_id` is kept.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/nodes/upload/init`
   */
  initUpload(
    body: Schemas['InitNodeUploadRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['InitNodeUploadResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/nodes/upload/init', body, isKeyed: true }, options);
  }

  /**
   * Commit an upload and process the file.
   *
   * Creates the node and the file. Returns 409 if the bytes are not in the bucket, and 424 if the bucket does not respond. A repeated commit returns the same file. `node_id` differs from that of the upload only if a sync found the object first.
   *
   * Needs the scope `connections:write`.
   *
   * `POST /v1/nodes/upload/commit`
   */
  commitUpload(
    body: Schemas['CommitNodeUploadRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['CommitNodeUploadResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/nodes/upload/commit', body, isKeyed: true }, options);
  }

  /**
   * List nodes.
   *
   * Returns the files and folders found by syncs: folders first, each in the order in which they were found. Filters are combined with AND.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/nodes`
   */
  list(
    query: Query<'listNodes'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListNodesResponse'], Schemas['ListNodesResponse']['nodes'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/nodes', query }, 'nodes', options);
  }

  /**
   * Get a node.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/nodes/{id}`
   */
  get(id: string, options: RequestOptions = {}): Promise<Schemas['Node']> {
    return this.transport.json({ method: 'GET', path: '/v1/nodes/{id}', parameters: [id] }, options);
  }

  /**
   * Delete a node.
   *
   * Deleting a folder deletes everything in it. Nothing in the bucket changes. The next sync finds the objects again, and adds the nodes with their former ids.
   *
   * Needs the scope `connections:write`.
   *
   * `DELETE /v1/nodes/{id}`
   */
  delete(id: string, options: RequestOptions = {}): Promise<Schemas['DeleteNodeResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/nodes/{id}', parameters: [id] }, options);
  }

  /**
   * List the children of a folder.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/nodes/{id}/children`
   */
  listChildren(
    id: string,
    query: Query<'listChildren'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListChildrenResponse'], Schemas['ListChildrenResponse']['nodes'][number]> {
    return this.transport.list(
      { method: 'GET', path: '/v1/nodes/{id}/children', parameters: [id], query },
      'nodes',
      options,
    );
  }

  /**
   * Get a download URL for a node.
   *
   * The URL points to the bucket, is valid for one hour, and needs no credentials. Returns 409 for a folder.
   *
   * Needs the scope `connections:read`.
   *
   * `GET /v1/nodes/{id}/download`
   */
  download(id: string, options: RequestOptions = {}): Promise<Schemas['DownloadFileResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/nodes/{id}/download', parameters: [id] }, options);
  }
}
