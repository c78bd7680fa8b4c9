// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { PathParameters, Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class ProviderKeys {
  constructor(protected readonly transport: Transport) {}

  /**
   * List provider keys.
   *
   * Shows only the last four characters of each key.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/provider-keys`
   */
  list(options: RequestOptions = {}): Promise<Schemas['ListProviderKeysResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/provider-keys' }, options);
  }

  /**
   * Set a provider key.
   *
   * Calls to the provider use this key from now on. It replaces an earlier key, is encrypted at rest, and is never returned. Pages processed with it count at 60 %. Test mode does not use it. With a `url`, files are sent to your own extractor there, and the key is the secret that signs the requests.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `PUT /v1/org/provider-keys`
   */
  set(
    body: Schemas['SetProviderKeyRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['SetProviderKeyResponse']> {
    return this.transport.json({ method: 'PUT', path: '/v1/org/provider-keys', body }, options);
  }

  /**
   * Test a provider key.
   *
   * Calls the provider once with the stored key: with a small file for extraction, with a few words for embeddings and chat. Your own extractor gets a signed request whose `callback_url` is null. The provider may charge for the call. `ok` is false, with a reason, if the provider refuses the key or does not answer within 30 seconds.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `POST /v1/org/provider-keys/{provider}/test`
   */
  test(
    provider: PathParameters<'testProviderKey'>['provider'],
    options: RequestOptions = {},
  ): Promise<Schemas['TestProviderKeyResponse']> {
    return this.transport.json(
      { method: 'POST', path: '/v1/org/provider-keys/{provider}/test', parameters: [provider], isKeyed: true },
      options,
    );
  }

  /**
   * Delete a provider key.
   *
   * Attempts that start after this request use the managed key again.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `DELETE /v1/org/provider-keys/{provider}`
   */
  delete(
    provider: PathParameters<'deleteProviderKey'>['provider'],
    options: RequestOptions = {},
  ): Promise<Schemas['DeleteProviderKeyResponse']> {
    return this.transport.json(
      { method: 'DELETE', path: '/v1/org/provider-keys/{provider}', parameters: [provider] },
      options,
    );
  }
}
