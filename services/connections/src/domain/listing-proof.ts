// What the pages of a listing have to be for its end to be believed: every key comes after the one before, and no page leads to
// itself. A store that repeats itself, or leaves its order, is not trusted with the removal of nodes.
import { BucketError } from './bucket-error.js';

/** Negative when `a` comes before `b`. */
type KeyOrder = (a: string, b: string) => number;

export interface ProvenPage {
  objects: readonly { key: string }[];
  next: string | null;
}

/** Tokens of providers are some kilobytes long at most; it is kept with the sync. */
const TOKEN_LENGTH_MAX = 8_192;

export class ListingProof {
  private orders: readonly KeyOrder[];

  constructor(
    /** Those that the provider documents; it keeps to one of them. */
    orders: readonly KeyOrder[],
    /** Where the pages before have ended. */
    private lastKey: string | null = null,
    private cursor: string | null = null,
  ) {
    this.orders = orders;
  }

  /** Throws BucketError when the page can't be the next of the listing. */
  accept({ objects, next }: ProvenPage): void {
    for (const { key } of objects) this.acceptKey(key);
    if (next !== null) this.acceptToken(next);
    this.cursor = next;
  }

  private acceptKey(key: string): void {
    const { lastKey } = this;
    if (lastKey !== null) this.orders = this.orders.filter((order) => order(lastKey, key) < 0);
    if (this.orders.length === 0) {
      throw unproven('it lists a key twice, or not in the order that the provider documents');
    }
    this.lastKey = key;
  }

  private acceptToken(next: string): void {
    if (next === this.cursor) throw unproven('a page of its listing leads to itself');
    if (next.length > TOKEN_LENGTH_MAX || next.includes('\0')) {
      throw unproven('the token for the next page is longer than 8,192 characters, or holds NUL');
    }
  }
}

const unproven = (reason: string): BucketError =>
  new BucketError('listing_incomplete', `The store answered, but ${reason}.`);
