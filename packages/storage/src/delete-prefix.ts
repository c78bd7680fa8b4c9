// Deleting by prefix, which no provider can do by itself: page by page.
import { listPages } from './list-pages.js';
import type { ObjectStore } from './object-store.port.js';
import { StorageError } from './storage.errors.js';

/** Answers how many were deleted. Deleting what a page showed does not move the pages after it. */
export async function deletePrefix(store: Pick<ObjectStore, 'list' | 'deleteMany'>, prefix: string): Promise<number> {
  if (prefix === '') {
    throw new StorageError('invalid', 'deletePrefix needs a prefix: an empty one is the whole bucket');
  }
  let deleted = 0;
  for await (const { objects } of listPages(store, prefix)) {
    await store.deleteMany(objects.map(({ key }) => key));
    deleted += objects.length;
  }
  return deleted;
}
