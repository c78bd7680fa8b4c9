// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Extractions {
  constructor(protected readonly transport: Transport) {}

  /**
   * Send the result of your own extractor.
   *
   * The `callback_url` of an extraction request points here. Sign the body with the secret of your extractor, as in Standard Webhooks, under the id of the request. The request may be repeated: `accepted` is false if there was a different result before. Returns 401 if the signature is wrong, 403 if the URL is, and 404 if no job waits for the result.
   *
   * `POST /v1/extractions/{token}`
   */
  sendResult(
    token: string,
    body: Schemas['ReceiveExtractionResultRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['ReceiveExtractionResultResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/extractions/{token}', parameters: [token], body }, options);
  }
}
