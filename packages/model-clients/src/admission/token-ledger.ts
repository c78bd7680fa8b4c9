// How many tokens owners have used lately. Older use counts less: half after each minute.

export interface TokenLedgerOptions {
  /** Milliseconds that only go up. */
  now: () => number;
}

const HALF_LIFE_MS = 60_000;
/** Owners are forgotten when less is left. */
const TOKENS_MIN = 1;

export class TokenLedger {
  private readonly used = new Map<string, { tokens: number; at: number }>();
  private readonly now: () => number;

  constructor({ now }: TokenLedgerOptions) {
    this.now = now;
  }

  usedBy(owner: string): number {
    const used = this.used.get(owner);
    return used ? used.tokens * 0.5 ** ((this.now() - used.at) / HALF_LIFE_MS) : 0;
  }

  /** `tokens` may be negative, to correct an estimate. */
  add(owner: string, tokens: number): void {
    const total = Math.max(this.usedBy(owner) + tokens, 0);
    // The owner who was charged last is the last of the map.
    this.used.delete(owner);
    if (total >= TOKENS_MIN) this.used.set(owner, { tokens: total, at: this.now() });
    for (const [other] of this.used) {
      if (this.usedBy(other) >= TOKENS_MIN) break;
      this.used.delete(other);
    }
  }
}
