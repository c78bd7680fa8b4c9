// One token for all requests of a store, until shortly before it ends. It replaces the SDK's own cache: there, a request that is cancelled fails all
// requests that wait for the same token, and a failed renewal that no request awaits ends the process.
import type { AccessToken, TokenCredential } from '@azure/core-auth';

/** Lets requests that are under way end with the token that they have. */
const RENEW_BEFORE_MS = 300_000;
/** In this last part of its life, a token may be too old on arrival. */
const UNUSABLE_BEFORE_MS = 30_000;
/** Time between two attempts to renew a token that can still be used. */
const RETRY_MS = 10_000;

export abstract class CachedToken implements TokenCredential {
  private token: AccessToken | null = null;
  private request: Promise<AccessToken> | null = null;
  private requestedAt = -Infinity;

  constructor(private readonly now: () => number = Date.now) {}

  protected abstract newToken(scopes: string | string[]): Promise<AccessToken>;

  /** Throws StorageError. */
  async getToken(scopes: string | string[]): Promise<AccessToken> {
    const now = this.now();
    const leftMs = (this.token?.expiresOnTimestamp ?? 0) - now;
    if (!this.token || leftMs < UNUSABLE_BEFORE_MS) return this.forOneRequest(await this.renewed(scopes));
    if (leftMs < RENEW_BEFORE_MS && now - this.requestedAt >= RETRY_MS) {
      // The requests that need the next token report a failure.
      this.renewed(scopes).catch(() => undefined);
    }
    return this.forOneRequest(this.token);
  }

  private renewed(scopes: string | string[]): Promise<AccessToken> {
    if (this.request) return this.request;
    this.requestedAt = this.now();
    this.request = this.newToken(scopes)
      .then((token) => (this.token = token))
      .finally(() => (this.request = null));
    return this.request;
  }

  /** The SDK requests a token again for each request if the last one has ended. */
  private forOneRequest({ token }: AccessToken): AccessToken {
    return { token, expiresOnTimestamp: this.now() };
  }
}
