// A list of the API: to await for its first page, or to loop over for all its entries.

export interface Page {
  next_cursor: string | null;
}

/**
 * `await list` is the first page. `for await (const entry of list)` reads all entries, a page at a time. A page without entries
 * does not end the list; the last page has no cursor.
 */
export class List<P extends Page, Entry> implements PromiseLike<P>, AsyncIterable<Entry> {
  #first: Promise<P> | undefined;

  constructor(
    private readonly load: (cursor: string | undefined) => Promise<P>,
    private readonly entriesOf: (page: P) => readonly Entry[],
  ) {}

  // oxlint-disable-next-line unicorn/no-thenable -- a list is meant to be awaited
  then<Result1 = P, Result2 = never>(
    onFulfilled?: ((page: P) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    this.#first ??= this.load(undefined);
    return this.#first.then(onFulfilled, onRejected);
  }

  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | undefined; ;) {
      const page = await this.load(cursor);
      yield page;
      const { next_cursor: next } = page;
      if (next === null || next === undefined) return;
      if (next === cursor) throw new Error('The server returned the same cursor twice.');
      cursor = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const page of this.pages()) yield* this.entriesOf(page);
  }

  /** Collects at most `limit` entries. */
  async all({ limit }: { limit: number }): Promise<Entry[]> {
    if (!(limit > 0)) throw new TypeError('limit must be a number above 0');
    const entries: Entry[] = [];
    for await (const entry of this) {
      entries.push(entry);
      if (entries.length >= limit) break;
    }
    return entries;
  }
}
