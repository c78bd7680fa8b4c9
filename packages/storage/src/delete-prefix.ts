// Deletes all keys with a prefix, page by page: no provider has a request for it.
import { listPages } from './list-pages.js';
import type { ObjectStore } from './object-store.port.js';
import { StorageError } from './storage.errors.js';

/** Returns how many keys were deleted. Deleting the keys of a page does not affect later pages. */
export async function deletePrefix(store: Pick<ObjectStore, 'list' | 'deleteMany'>, prefix: string): Promise<number> {
  if (prefix === '') {
    throw new StorageError('invalid', 'deletePrefix requires a prefix: an empty one would delete the whole bucket');
  }
  let deleted = 0;
  for await (const { objects } of listPages(store, prefix)) {
    await store.deleteMany(objects.map(({ key }) => key));
    deleted += objects.length;
  }
  return deleted;
}
