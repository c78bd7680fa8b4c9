// Validates the pages of a listing: every key comes after the previous one, and no page refers to itself. Nodes are removed only after a
// complete valid listing.
import { BucketError } from '../../external-buckets/domain/bucket-error.js';

/** Negative when `a` comes before `b`. */
type KeyOrder = (a: string, b: string) => number;

export interface ListedPage {
  objects: readonly { key: string }[];
  next: string | null;
}

/** The token is stored with the sync. The providers' tokens have a few kilobytes at most. */
const TOKEN_LENGTH_MAX = 8_192;

export class ListingValidator {
  private orders: readonly KeyOrder[] | null;

  constructor(
    /** The orders that the provider documents. All pages must follow the same one of them. Null: a store without an order. */
    orders: readonly KeyOrder[] | null,
    /** The end of the previous pages. */
    private lastKey: string | null = null,
    private cursor: string | null = null,
  ) {
    this.orders = orders;
  }

  /** Throws BucketError when the page cannot be the next one of the listing. Without an order, earlier pages are not compared. */
  accept({ objects, next }: ListedPage): void {
    if (this.orders === null) assertDistinct(objects);
    else for (const { key } of objects) this.acceptKey(key);
    if (next !== null) this.acceptToken(next);
    this.cursor = next;
  }

  private acceptKey(key: string): void {
    // The bytes of such a key are not known, and with them its place.
    if (!key.isWellFormed()) return;
    const { lastKey, orders } = this;
    const followed = lastKey === null ? orders : orders?.filter((order) => order(lastKey, key) < 0);
    if (followed?.length === 0) {
      throw invalid('it lists a key twice, or not in the order that the provider documents');
    }
    this.orders = followed ?? null;
    this.lastKey = key;
  }

  private acceptToken(next: string): void {
    if (next === this.cursor) throw invalid('a page of its listing refers to itself');
    if (next.length > TOKEN_LENGTH_MAX || next.includes('\0') || !next.isWellFormed()) {
      throw invalid('the token for the next page is longer than 8,192 characters, or contains NUL or half a character');
    }
  }
}

function assertDistinct(objects: ListedPage['objects']): void {
  if (new Set(objects.map(({ key }) => key)).size < objects.length) throw listedTwice();
}

const invalid = (reason: string): BucketError =>
  new BucketError('listing_incomplete', `The store answered, but ${reason}.`);

export const listedTwice = (): BucketError => invalid('it lists a key twice');
