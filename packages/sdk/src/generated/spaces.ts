// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Spaces {
  constructor(protected readonly transport: Transport) {}

  /**
   * List spaces.
   *
   * Returns spaces ordered by name, each with its number of files. A space exists from its first file until it is deleted.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/spaces`
   */
  list(
    query: Query<'listSpaces'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListSpacesResponse'], Schemas['ListSpacesResponse']['spaces'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/spaces', query }, 'spaces', options);
  }

  /**
   * Get the file statistics of a space.
   *
   * The counts include every change whose request has returned.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/spaces/{name}/stats`
   */
  getStats(name: string, options: RequestOptions = {}): Promise<Schemas['GetSpaceStatsResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/spaces/{name}/stats', parameters: [name] }, options);
  }

  /**
   * Delete a space.
   *
   * Returns 409 if the space has files and `cascade` is not true. With `cascade`, its files cannot be read once this request returns; their data is removed in the background. Files uploaded later to a space of the same name are not affected.
   *
   * Needs the scope `files:write`.
   *
   * `DELETE /v1/spaces/{name}`
   */
  delete(
    name: string,
    query: Query<'deleteSpace'> = {},
    options: RequestOptions = {},
  ): Promise<Schemas['DeleteSpaceResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/spaces/{name}', parameters: [name], query }, options);
  }
}
