// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Uploads {
  constructor(protected readonly transport: Transport) {}

  /**
   * Begin an upload in parts.
   *
   * For large files and unreliable connections. The bytes go to the object store in parts: request signed URLs for the parts, send each with PUT, in any order and several at a time, and complete the upload. Only a part that was interrupted is sent again. The upload has the id of its file. If it is not completed by `expires_at`, the file fails with `upload_expired`, and the parts are removed.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/uploads`
   */
  begin(body: Schemas['BeginUploadRequest'], options: RequestOptions = {}): Promise<Schemas['BeginUploadResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/uploads', body, isKeyed: true }, options);
  }

  /**
   * Get an upload and its stored parts.
   *
   * To resume an upload, send the parts that are missing. An upload is kept until `expires_at`.
   *
   * Needs the scope `files:read`.
   *
   * `GET /v1/uploads/{id}`
   */
  get(
    id: string,
    query: Query<'getUpload'> = {},
    options: RequestOptions = {},
  ): List<Schemas['GetUploadResponse'], Schemas['GetUploadResponse']['parts'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/uploads/{id}', parameters: [id], query }, 'parts', options);
  }

  /**
   * Abort an upload in parts.
   *
   * Deletes the file and the parts that are stored. Returns 409 if the upload is complete: then delete the file.
   *
   * Needs the scope `files:write`.
   *
   * `DELETE /v1/uploads/{id}`
   */
  abort(id: string, options: RequestOptions = {}): Promise<Schemas['AbortUploadResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/uploads/{id}', parameters: [id] }, options);
  }

  /**
   * Get signed URLs for parts.
   *
   * Send each part with PUT to its URL, with exactly `size_bytes` bytes. The URLs need no credentials. Request new ones when they have expired.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/uploads/{id}/parts`
   */
  signParts(
    id: string,
    body: Schemas['SignUploadPartsRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['SignUploadPartsResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/uploads/{id}/parts', parameters: [id], body, isKeyed: true },
      options,
    );
  }

  /**
   * Complete an upload in parts.
   *
   * Makes the file of its parts, and starts its processing. Returns 409 if a part is missing or has another size, and names it. May be repeated: a complete upload returns its file. The body is optional.
   *
   * Needs the scope `files:write`.
   *
   * `POST /v1/uploads/{id}/complete`
   */
  complete(
    id: string,
    body: Schemas['CompleteUploadRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['CompleteUploadResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/uploads/{id}/complete', parameters: [id], body, isKeyed: true },
      options,
    );
  }
}
