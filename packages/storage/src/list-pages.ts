// Lists all keys with a prefix, over several pages.
import { ListingNotProvenError } from './listing-not-proven.error.js';
import type { ListOptions, ObjectPage, ObjectStore } from './object-store.port.js';

type Listing = Pick<ObjectStore, 'list'>;

/** Yields every page under `prefix`, or those from a cursor on. A page is requested when the reader is done with the previous one. */
export async function* listPages(
  store: Listing,
  prefix: string,
  options: ListOptions = {},
): AsyncGenerator<ObjectPage> {
  let page = await store.list(prefix, options);
  yield page;
  while (page.nextCursor !== null) {
    const cursor = page.nextCursor;
    page = await store.list(prefix, { ...options, cursor });
    if (page.nextCursor === cursor)
      throw new ListingNotProvenError('the cursor of the next page is the same as that of the page');
    yield page;
  }
}
