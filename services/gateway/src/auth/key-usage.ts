// When each key was last used, gathered in memory and written now and then by one statement: no request waits for it. What a
// crash loses, or does not fit, is a few seconds of a value that is only ever roughly true.
import { uuidOf } from '@kiln/contracts';
import type { ApiKeyStore, KeyUse } from './api-key.store.js';

/** Distinct keys between two writes. Those beyond are noted at their next use. */
const KEYS_MAX = 10_000;

export class KeyUsage {
  private usedAt = new Map<string, number>();

  constructor(
    private readonly keys: Pick<ApiKeyStore, 'saveUses'>,
    private readonly keysMax = KEYS_MAX,
  ) {}

  /** `keyId` is a TypeID. */
  note(keyId: string): void {
    if (this.usedAt.size < this.keysMax || this.usedAt.has(keyId)) this.usedAt.set(keyId, Date.now());
  }

  /** Writes what was noted. What could not be written is kept for the next time, and the error is thrown on. */
  async flush(): Promise<void> {
    if (this.usedAt.size === 0) return;
    const noted = this.usedAt;
    this.usedAt = new Map();
    try {
      await this.keys.saveUses([...noted].map(toUse));
    } catch (error) {
      for (const [keyId, at] of noted) {
        if (this.usedAt.size < this.keysMax && !this.usedAt.has(keyId)) this.usedAt.set(keyId, at);
      }
      throw error;
    }
  }
}

const toUse = ([keyId, at]: [string, number]): KeyUse => ({ keyUuid: uuidOf('key', keyId), usedAt: new Date(at) });
