// Gets tokens for an application with a client secret, by the OAuth 2.0 client credentials grant:
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/core-auth';
import { createDefaultHttpClient, createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { agentFor, type HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';

export const AZURE_AUTHORITY = 'https://login.microsoftonline.com';

export interface ClientSecretConfig {
  /** Base URL. Default: Azure's public cloud. */
  authority?: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
  agents?: HttpAgents;
  requestTimeoutMs?: number;
}

interface TokenAnswer {
  access_token?: string;
  /** Seconds. */
  expires_in?: number;
  error_description?: string;
}

const ACTION = 'signing in to the directory';

/** The SDK caches a token until shortly before it expires. */
export class ClientSecretToken implements TokenCredential {
  private readonly http = createDefaultHttpClient();

  constructor(private readonly config: ClientSecretConfig) {}

  /** Throws StorageError. */
  async getToken(scopes: string | string[], { abortSignal }: GetTokenOptions = {}): Promise<AccessToken> {
    const { authority = AZURE_AUTHORITY, tenantId, clientId, clientSecret, agents } = this.config;
    const url = `${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const request = createPipelineRequest({
      url,
      method: 'POST',
      headers: createHttpHeaders({ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }),
      body: new URLSearchParams({ ...form, scope: [scopes].flat().join(' ') }).toString(),
      timeout: this.config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS,
      // Only the operator can set an authority with plain http, and the agents restrict where it connects.
      allowInsecureConnection: true,
      ...(abortSignal && { abortSignal }),
    });
    // The constructor ignores this option.
    if (agents) request.agent = agentFor(agents, new URL(url));
    const { status, bodyAsText } = await this.http.sendRequest(request).catch((error: unknown) => {
      throw new StorageError('unavailable', `${ACTION}: ${String(error)}`, { cause: error, retryable: true });
    });
    return tokenOf(status, parse(bodyAsText));
  }
}

function tokenOf(status: number, { access_token, expires_in, error_description }: TokenAnswer): AccessToken {
  if (status === 200 && access_token !== undefined && expires_in !== undefined) {
    return { token: access_token, expiresOnTimestamp: Date.now() + expires_in * 1_000 };
  }
  // The first line names the problem. The others are ids of the request.
  const reason = error_description?.split('\r\n')[0] ?? `status ${status}`;
  const refused = status === 400 || status === 401 || status === 403;
  throw new StorageError(refused ? 'access_denied' : 'unavailable', `${ACTION}: ${reason}`, { retryable: !refused });
}

function parse(body: string | null | undefined): TokenAnswer {
  try {
    return (JSON.parse(body ?? '') as TokenAnswer | null) ?? {};
  } catch {
    return {};
  }
}
