// What was read from the database a moment ago, so that it is not read anew for every request. Bounded in time and number.
interface Entry<Value> {
  value: Value;
  /** Milliseconds on the monotonic clock. */
  until: number;
}

/** Nothing is remembered longer: after so long every replica knows of every change. */
export const REMEMBERED_MS = 5_000;
const ENTRIES_MAX = 10_000;

export class Remembered<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(
    private readonly entriesMax = ENTRIES_MAX,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(name: string): Value | undefined {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    if (entry.until > this.now()) return entry.value;
    this.entries.delete(name);
    return undefined;
  }

  /**
   * What `read` answers, which is remembered. The time counts from before the question was asked, and never passes
   * `validMs`, the time for which the answer says that it holds.
   */
  async read(
    name: string,
    read: () => Promise<{ value: Value; validMs?: number | null } | null>,
  ): Promise<Value | null> {
    const askedAt = this.now();
    const answer = await read();
    if (!answer) {
      this.entries.delete(name);
      return null;
    }
    // Full of entries that nobody asked for within their time, or of more callers than fit: either way, begin anew.
    if (this.entries.size >= this.entriesMax) this.entries.clear();
    this.entries.set(name, {
      value: answer.value,
      until: askedAt + Math.min(REMEMBERED_MS, answer.validMs ?? REMEMBERED_MS),
    });
    return answer.value;
  }

  clear(): void {
    this.entries.clear();
  }
}
