// Tokens for an application with a client secret.
import type { AccessToken } from '@azure/core-auth';
import { CachedToken } from './azure-token-cache.js';
import { exchange, type Directory } from './azure-token-exchange.js';

export interface ClientSecretConfig extends Directory {
  clientSecret: string;
}

export class ClientSecretToken extends CachedToken {
  constructor(private readonly config: ClientSecretConfig) {
    super();
  }

  protected newToken(scopes: string | string[]): Promise<AccessToken> {
    return exchange(this.config, { client_secret: this.config.clientSecret }, scopes);
  }
}
