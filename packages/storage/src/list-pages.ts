// Whole listings over the port, whichever provider answers.
import { ListingNotProvenError } from './listing-not-proven.error.js';
import type { ListOptions, ObjectPage, ObjectStore } from './object-store.port.js';

type Listing = Pick<ObjectStore, 'list'>;

/** Every page under `prefix`, each asked for when the reader is done with the one before. */
export async function* listPages(
  store: Listing,
  prefix: string,
  options: Omit<ListOptions, 'cursor'> = {},
): AsyncGenerator<ObjectPage> {
  let page = await store.list(prefix, options);
  yield page;
  while (page.nextCursor !== null) {
    const cursor = page.nextCursor;
    page = await store.list(prefix, { ...options, cursor });
    if (page.nextCursor === cursor) throw new ListingNotProvenError('a page leads to itself');
    yield page;
  }
}
