// A cache of temporary keys and tokens until shortly before they expire. It has a limited size.
const ENTRIES_MAX = 1_000;

export class SignInCache<Keys extends { expiration?: Date }> {
  private readonly cached = new Map<string, Keys>();

  constructor(
    /** What must be left of the life of cached keys, in milliseconds. */
    private readonly leftMinMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** `identity` contains everything that the keys depend on. */
  async get(identity: string, signIn: () => Promise<Keys>): Promise<Keys> {
    const cached = this.cached.get(identity);
    if (cached?.expiration && cached.expiration.getTime() - this.now() > this.leftMinMs) return cached;
    const keys = await signIn();
    this.cached.delete(identity);
    this.cached.set(identity, keys);
    const [oldest] = this.cached.keys();
    if (this.cached.size > ENTRIES_MAX && oldest !== undefined) this.cached.delete(oldest);
    return keys;
  }
}
