// Marks in Redis that end a key at once on every gateway, although each remembers keys for a moment (docs/adr/0007).
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from '../limits/redis.js';
import { withinMilliseconds } from '../limits/within-milliseconds.js';
import { REMEMBERED_MS } from './remembered.js';

const MARK_TIMEOUT_MS = 1_000;
/** Far longer than anyone remembers a key, the time to write the revocation included. */
const MARK_SECONDS = 120;

export const revocationKey = (namespace: string, principal: string) => `${namespace}:{${principal}}:revoked`;

export class Revocations {
  constructor(
    /** Null where its address is not known. */
    private readonly redis: Pick<Redis, 'set'> | null,
    private readonly namespace: string,
    private readonly waitMs = REMEMBERED_MS,
  ) {}

  /**
   * Runs `revoke`, which ends the key of `principal` in the database, and resolves when no gateway takes that key any more.
   * The mark comes first: whoever reads the key from the database before `revoke` has committed finds it already there.
   * Where Redis can't be reached, it waits until everyone has forgotten the key.
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
