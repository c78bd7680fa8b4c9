// One page of a bucket listing, for both versions of ListObjects.
import { fromByteString, toByteString, type ByteString } from '../byte-string.js';
import type { BucketObjects } from './bucket-objects.js';
import type { FolderIndex } from './folder-index.js';
import { inParallel } from './in-parallel.js';
import type { ObjectDescription } from './object-file.js';
import { walkKeys } from './walk-keys.js';

export interface ListQuery {
  prefix: string;
  /** Empty for none. */
  delimiter: string;
  /** Keys and common prefixes must be greater than this. */
  after: string;
  itemsMax: number;
}

export interface ListPage {
  objects: ObjectDescription[];
  prefixes: string[];
  /** The last item, after which the next page begins. Undefined on the last page. */
  next: string | undefined;
}

/** Greater than every byte of UTF-8. */
const ABOVE_ALL = '\u00ff';

export async function listPage(index: FolderIndex, bucket: BucketObjects, query: ListQuery): Promise<ListPage> {
  const { keys, prefixes, next } = await collect(index, bucket.root, query);
  const objects = await inParallel(keys, (key) => bucket.describe(fromByteString(key)));
  return {
    // An object that was deleted since is skipped.
    objects: objects.filter((object) => object !== undefined),
    prefixes: prefixes.map(fromByteString),
    next: next === undefined ? undefined : fromByteString(next),
  };
}

interface Collected {
  keys: ByteString[];
  prefixes: ByteString[];
  next: ByteString | undefined;
}

async function collect(index: FolderIndex, root: string, query: ListQuery): Promise<Collected> {
  const prefix = toByteString(query.prefix);
  const delimiter = toByteString(query.delimiter);
  const groupOf = (key: ByteString): ByteString | undefined => {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return at < 0 ? undefined : key.slice(0, at + delimiter.length);
  };
  const rollsUp = (folder: ByteString): boolean => folder.startsWith(prefix) && groupOf(folder) !== undefined;
  const keys: ByteString[] = [];
  const prefixes: ByteString[] = [];
  let last = toByteString(query.after);
  // Continuing within a group would return the same group again.
  const continued = last.startsWith(prefix) ? groupOf(last) : undefined;
  let after = continued === undefined ? last : continued + ABOVE_ALL;
  if (query.itemsMax === 0) return { keys, prefixes, next: undefined };
  for (;;) {
    let group: ByteString | undefined;
    for await (const key of walkKeys(index, root, { prefix, after, rollsUp })) {
      if (keys.length + prefixes.length === query.itemsMax) return { keys, prefixes, next: last };
      group = groupOf(key);
      last = group ?? key;
      if (group !== undefined) break;
      keys.push(key);
    }
    if (group === undefined) return { keys, prefixes, next: undefined };
    prefixes.push(group);
    after = group + ABOVE_ALL; // the rest of the group is skipped, not walked
  }
}
