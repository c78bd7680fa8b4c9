// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class System {
  constructor(protected readonly transport: Transport) {}

  /**
   * Check that the process is alive.
   *
   * `GET /livez`
   */
  getLiveness(options: RequestOptions = {}): Promise<Schemas['GetLivenessResponse']> {
    return this.transport.json({ method: 'GET', path: '/livez' }, options);
  }

  /**
   * Check that requests can be served.
   *
   * Returns 503 with the same body if the database or the message bus does not respond. The object store, Redis and the streams of events are reported but not required.
   *
   * `GET /readyz`
   */
  getReadiness(options: RequestOptions = {}): Promise<Schemas['GetReadinessResponse']> {
    return this.transport.json({ method: 'GET', path: '/readyz' }, options);
  }
}
