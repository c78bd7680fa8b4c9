// A cache in memory whose entries expire. It is bounded in time and in number, and never caches that something does not exist.
interface Entry<Value> {
  value: Value;
  /** Milliseconds on the monotonic clock. */
  expiresAt: number;
}

/** The longest time that an entry lives. After it every replica has seen every change. */
export const CACHE_TTL_MS = 5_000;
const ENTRIES_MAX = 10_000;

/** The loaded value. `validMs` is given when it becomes invalid earlier than the TTL. */
export interface Loaded<Value> {
  value: Value;
  validMs?: number | null;
}

export class TtlCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly entriesMax = ENTRIES_MAX,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt > this.now()) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  /** Returns the cached value, or caches and returns what `load` returns. The TTL counts from before `load` was called. */
  async getOrLoad(key: string, load: () => Promise<Loaded<Value> | null>): Promise<Value | null> {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const startedAt = this.now();
    const loaded = await load();
    if (!loaded) {
      this.entries.delete(key);
      return null;
    }
    // Either most entries have expired, or more callers are active than fit. An empty cache is right in both cases.
    if (this.entries.size >= this.entriesMax) this.entries.clear();
    const ttlMs = Math.min(CACHE_TTL_MS, loaded.validMs ?? CACHE_TTL_MS);
    this.entries.set(key, { value: loaded.value, expiresAt: startedAt + ttlMs });
    return loaded.value;
  }

  clear(): void {
    this.entries.clear();
  }
}
