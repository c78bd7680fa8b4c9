// Marks in Redis that revoke a key at once on every gateway, although each caches keys (docs/adr/0007-cached-keys.md).
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '../redis/redis.adapter.js';
import { withinMilliseconds } from '../redis/within-milliseconds.domain.js';
import { CACHE_TTL_MS } from '../auth/ttl-cache.service.js';

const MARK_TIMEOUT_MS = 1_000;
/** The mark outlives the cache TTL and the time to commit the revocation by far. */
const MARK_SECONDS = 120;

export const revocationKey = (namespace: string, principal: string) => `${namespace}:{${principal}}:revoked`;

export class Revocations {
  constructor(
    /** Null if the address of Redis is not configured. */
    private readonly redis: Pick<Redis, 'set'> | null,
    private readonly namespace: string,
    private readonly waitMs = CACHE_TTL_MS,
  ) {}

  /**
   * Runs `revoke`, which revokes the key of `principal` in the database. Resolves when no gateway accepts the key any more.
   * The mark is set first, so a gateway that reads the key before `revoke` has committed already finds the mark.
   * If Redis cannot be reached, this waits until the key has expired from every cache.
   */
  async end(principal: string, revoke: () => Promise<boolean>): Promise<boolean> {
    const marked = await this.mark(principal);
    const revoked = await revoke();
    if (revoked && !marked) await delay(this.waitMs);
    return revoked;
  }

  private async mark(principal: string): Promise<boolean> {
    if (!this.redis) return false;
    try {
      const set = this.redis.set(revocationKey(this.namespace, principal), '1', { EX: MARK_SECONDS });
      await withinMilliseconds(MARK_TIMEOUT_MS, set);
      return true;
    } catch {
      return false;
    }
  }
}
