// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class RequestLog {
  constructor(protected readonly transport: Transport) {}

  /**
   * List the requests of your keys.
   *
   * Returns the newest requests first, for 7 days, including those that were refused with 401 or 403. The status 499 is that of a request whose caller disconnected before the response; it may have been performed. Filters are combined with AND. A request appears within 5 seconds. If filters rarely match together, a page may have fewer entries than `limit`, or none; `next_cursor` continues the search. Requests of the other mode (live or test) are not shown.
   *
   * Needs the scope `logs:read`.
   *
   * `GET /v1/api-logs`
   */
  list(
    query: Query<'listRequests'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListRequestsResponse'], Schemas['ListRequestsResponse']['logs'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/api-logs', query }, 'logs', options);
  }
}
