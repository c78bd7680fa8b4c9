// Collects in memory when each key was last used. One statement writes it every few seconds, so that no request waits for it. A
// crash loses a few seconds, which does no harm: the value is approximate anyway.
import type { KeyUsageStore } from './key-usage.store.js';

/** The number of distinct keys between two writes. A key beyond the limit is recorded at its next use. */
const KEYS_MAX = 10_000;

export class KeyUsage {
  private usedAt = new Map<string, number>();

  constructor(
    private readonly keys: Pick<KeyUsageStore, 'saveUses'>,
    private readonly keysMax = KEYS_MAX,
  ) {}

  /** `keyId` is a TypeID. */
  record(keyId: string): void {
    if (this.usedAt.size < this.keysMax || this.usedAt.has(keyId)) this.usedAt.set(keyId, Date.now());
  }

  /** Writes the recorded uses. If that fails, keeps them for the next flush and throws the error. */
  async flush(): Promise<void> {
    if (this.usedAt.size === 0) return;
    const recorded = this.usedAt;
    this.usedAt = new Map();
    try {
      await this.keys.saveUses(recorded);
    } catch (error) {
      for (const [keyId, at] of recorded) {
        if (this.usedAt.size < this.keysMax && !this.usedAt.has(keyId)) this.usedAt.set(keyId, at);
      }
      throw error;
    }
  }
}
