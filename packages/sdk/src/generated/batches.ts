// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Batches {
  constructor(protected readonly transport: Transport) {}

  /**
   * Create up to 50 files and upload URLs.
   *
   * `files` in the response has one element for each entry of the request, in the same order: an upload, or an `error` if the entry was rejected. Valid entries succeed even if others are rejected. If all entries are invalid, the request fails with 400.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/upload/batch`
   */
  create(body: Schemas['UploadBatchRequest'], options: RequestOptions = {}): Promise<Schemas['UploadBatchResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/upload/batch', body, isKeyed: true }, options);
  }

  /**
   * Get the progress of a batch.
   *
   * Returns the current state of the files: `completed + failed + cancelled + in_progress = total`. Deleted files are not counted. A file that is being reprocessed counts as in progress. With `wait`, the response comes when the batch has ended.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/batches/{id}`
   */
  get(id: string, query: Query<'getBatch'> = {}, options: RequestOptions = {}): Promise<Schemas['GetBatchResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/batches/{id}', parameters: [id], query }, options);
  }
}
