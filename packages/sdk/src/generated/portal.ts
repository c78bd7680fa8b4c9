// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, PathParameters, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Portal {
  constructor(protected readonly transport: Transport) {}

  /**
   * Get a page image of a portal file.
   *
   * Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.
   *
   * `GET /v1/portal/files/{id}/pages/{page}.png`
   */
  getPageImage(
    id: string,
    page: number,
    query: Query<'getPortalPageImage'> = {},
    options: RequestOptions = {},
  ): Promise<Blob> {
    return this.transport.bytes(
      { method: 'GET', path: '/v1/portal/files/{id}/pages/{page}.png', parameters: [id, page], query },
      options,
    );
  }

  /**
   * Create a portal token.
   *
   * A browser can read one space with this token until it expires. The secret is returned once. The token ends with the key that creates it, when that is revoked or expires.
   *
   * Needs the scopes `portal:write`, `files:read`, `search:read`.
   *
   * `POST /v1/portal/tokens`
   */
  createToken(
    body: Schemas['CreatePortalTokenRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['PortalToken']> {
    return this.transport.json({ method: 'POST', path: '/v1/portal/tokens', body, isKeyed: true }, options);
  }

  /**
   * List portal tokens.
   *
   * Returns the tokens that are valid, newest first.
   *
   * Needs the scope `portal:write`.
   *
   * `GET /v1/portal/tokens`
   */
  listTokens(
    query: Query<'listPortalTokens'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListPortalTokensResponse'], Schemas['ListPortalTokensResponse']['tokens'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/portal/tokens', query }, 'tokens', options);
  }

  /**
   * Verify a portal token.
   *
   * Unknown, expired and revoked tokens get the same response.
   *
   * `GET /v1/portal/tokens/{token}/verify`
   */
  verifyToken(token: string, options: RequestOptions = {}): Promise<Schemas['VerifyPortalTokenResponse']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/portal/tokens/{token}/verify', parameters: [token] },
      options,
    );
  }

  /**
   * Revoke a portal token.
   *
   * The token is named by its value, or by the prefix that the list shows.
   *
   * Needs the scope `portal:write`.
   *
   * `DELETE /v1/portal/tokens/{token}`
   */
  deleteToken(token: string, options: RequestOptions = {}): Promise<Schemas['DeleteApiKeyResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/portal/tokens/{token}', parameters: [token] }, options);
  }

  /**
   * List the files of the portal's space.
   *
   * `GET /v1/portal/files`
   */
  listFiles(
    query: Query<'listPortalFiles'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListFilesResponse'], Schemas['ListFilesResponse']['files'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/portal/files', query }, 'files', options);
  }

  /**
   * Get a file of the portal's space.
   *
   * `GET /v1/portal/files/{id}`
   */
  getFile(id: string, options: RequestOptions = {}): Promise<Schemas['File']> {
    return this.transport.json({ method: 'GET', path: '/v1/portal/files/{id}', parameters: [id] }, options);
  }

  /**
   * Get a download URL for a portal file.
   *
   * The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.
   *
   * `GET /v1/portal/files/{id}/download`
   */
  downloadFile(id: string, options: RequestOptions = {}): Promise<Schemas['DownloadFileResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/portal/files/{id}/download', parameters: [id] }, options);
  }

  /**
   * Get the branding of the portal.
   *
   * `GET /v1/portal/branding`
   */
  getBranding(options: RequestOptions = {}): Promise<Schemas['GetBrandingResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/portal/branding' }, options);
  }

  /**
   * List the variants of a portal file.
   *
   * Content larger than 1 MiB is null; download it from `content_url`.
   *
   * `GET /v1/portal/files/{file_id}/variants`
   */
  listVariants(fileId: string, options: RequestOptions = {}): Promise<Schemas['ListPortalVariantsResponse']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/portal/files/{file_id}/variants', parameters: [fileId] },
      options,
    );
  }

  /**
   * Get a variant of a portal file.
   *
   * Content larger than 1 MiB is null; download it from `content_url`.
   *
   * `GET /v1/portal/files/{file_id}/variants/{type}`
   */
  getVariant(
    fileId: string,
    type: PathParameters<'getPortalVariant'>['type'],
    options: RequestOptions = {},
  ): Promise<Schemas['Variant']> {
    return this.transport.json(
      { method: 'GET', path: '/v1/portal/files/{file_id}/variants/{type}', parameters: [fileId, type] },
      options,
    );
  }

  /**
   * Search the portal's space.
   *
   * `POST /v1/portal/search`
   */
  search(body: Schemas['SearchPortalRequest'], options: RequestOptions = {}): Promise<Schemas['SearchResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/portal/search', body }, options);
  }

  /**
   * Answer a question from the portal's space.
   *
   * Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.
   *
   * Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.
   *
   * With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.
   *
   * `POST /v1/portal/qa`
   */
  ask(
    body: Omit<Schemas['AnswerPortalQuestionRequest'], 'stream'>,
    options: RequestOptions = {},
  ): Promise<Schemas['AnswerQuestionResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/portal/qa', body, isSlow: true }, options);
  }

  /** The same, as the parts of the answer arrive. Leaving the loop ends the request. */
  askStream(
    body: Omit<Schemas['AnswerPortalQuestionRequest'], 'stream'>,
    options: RequestOptions = {},
  ): AsyncGenerator<Schemas['AnswerEvent'], void, undefined> {
    return this.transport.eventsOf({ method: 'POST', path: '/v1/portal/qa', body, isSlow: true }, options);
  }
}
