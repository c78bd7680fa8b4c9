// The best of many scored items.

export class Best<Item extends { readonly score: number }> {
  /** At most twice the limit, so that an item costs little however high the limit is. */
  private readonly kept: Item[] = [];
  /** The lowest score of the best items, when there are as many as the limit. */
  private lowest = Number.NEGATIVE_INFINITY;

  constructor(private readonly limit: number) {}

  /** The best first, at most `limit`. */
  get items(): readonly Item[] {
    this.trim();
    return this.kept;
  }

  /** Whether an item with this score may be among the best so far. */
  admits(score: number): boolean {
    return score > this.lowest;
  }

  /** Of two items with equal scores, the one that was added first ranks higher. */
  add(item: Item): void {
    if (!this.admits(item.score)) return;
    this.kept.push(item);
    if (this.kept.length >= 2 * this.limit) this.trim();
  }

  /** The sort keeps the order of items with equal scores. */
  private trim(): void {
    const { kept, limit } = this;
    kept.sort((left, right) => right.score - left.score);
    if (kept.length < limit) return;
    kept.length = limit;
    this.lowest = kept.at(-1)?.score ?? Number.NEGATIVE_INFINITY;
  }
}
