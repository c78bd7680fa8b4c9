// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { PathParameters, Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Variants {
  constructor(protected readonly transport: Transport) {}

  /**
   * List the variants of a file.
   *
   * Content larger than 1 MiB is null; download it from `content_url`.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{file_id}/variants`
   */
  list(fileId: string, options: RequestOptions = {}): Promise<Schemas['ListVariantsResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/files/{file_id}/variants', parameters: [fileId] }, options);
  }

  /**
   * Get a variant of a file.
   *
   * Content larger than 1 MiB is null; download it from `content_url`.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/files/{file_id}/variants/{type}`
   */
  get(
    fileId: string,
    type: PathParameters<'getVariant'>['type'],
    options: RequestOptions = {},
  ): Promise<Schemas['Variant']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/files/{file_id}/variants/{type}', parameters: [fileId, type] },
      options,
    );
  }
}
