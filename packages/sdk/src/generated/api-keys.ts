// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Query, Schemas } from '../core/operation-types.js';
import type { List } from '../core/list.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class ApiKeys {
  constructor(protected readonly transport: Transport) {}

  /**
   * Create an API key.
   *
   * The secret is returned once. A key cannot grant scopes that it does not have or create a key that outlives it, and a test key cannot create a live key. An organization has at most 500 keys that are valid (409).
   *
   * Needs the scope `keys:write`.
   *
   * `POST /v1/org/api-keys`
   */
  create(body: Schemas['CreateApiKeyRequest'], options: RequestOptions = {}): Promise<Schemas['CreatedApiKey']> {
    return this.transport.json({ method: 'POST', path: '/v1/org/api-keys', body, isKeyed: true }, options);
  }

  /**
   * List API keys.
   *
   * Returns live and test keys, newest first. Revoked keys are not listed.
   *
   * Needs the scope `keys:read`.
   *
   * `GET /v1/org/api-keys`
   */
  list(
    query: Query<'listApiKeys'> = {},
    options: RequestOptions = {},
  ): List<Schemas['ListApiKeysResponse'], Schemas['ListApiKeysResponse']['api_keys'][number]> {
    return this.transport.list({ method: 'GET', path: '/v1/org/api-keys', query }, 'api_keys', options);
  }

  /**
   * Revoke an API key.
   *
   * Takes effect immediately and cannot be undone. A key can revoke itself. A test key cannot revoke a live key.
   *
   * Needs the scope `keys:write`.
   *
   * `DELETE /v1/org/api-keys/{id}`
   */
  delete(id: string, options: RequestOptions = {}): Promise<Schemas['DeleteApiKeyResponse']> {
    return this.transport.json({ method: 'DELETE', path: '/v1/org/api-keys/{id}', parameters: [id] }, options);
  }

  /**
   * Create an API key from a sign-in code.
   *
   * The key has all scopes and is valid for 12 hours. The operator creates the code with `kiln sign-in create`. A code works once, within 10 minutes.
   *
   * `POST /v1/sign-in`
   */
  exchangeSignInCode(
    body: Schemas['ExchangeSignInCodeRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['ExchangeSignInCodeResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/sign-in', body }, options);
  }
}
