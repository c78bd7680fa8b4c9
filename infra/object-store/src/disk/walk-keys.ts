// Iterates over the keys of a bucket in byte order. Reads only folders that can contain keys with the prefix and after the starting point.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteString } from '../byte-string.js';
import { firstAfter, firstFrom, type FolderIndex } from './folder-index.js';
import { entryKind, entryOf, fileNameOf, firstEntry, folderPath, splitKey } from './key-path.js';
import { isSystemError } from '../s3-errors.js';

export interface WalkRange {
  prefix: ByteString;
  /** Keys must be greater than this. */
  after: ByteString;
  /** Whether the caller treats all keys below a folder alike: then the folder's name is yielded instead of them. */
  rollsUp: (folder: ByteString) => boolean;
}

export async function* walkKeys(index: FolderIndex, root: string, range: WalkRange): AsyncGenerator<ByteString> {
  // The folders named by the prefix are opened directly; their parents, however full, are never read.
  const { folders } = splitKey(range.prefix);
  yield* walkFolder(index, folderPath(root, folders), folders.join(''), range);
}

async function* walkFolder(
  index: FolderIndex,
  path: string,
  base: ByteString,
  range: WalkRange,
): AsyncGenerator<ByteString> {
  const { prefix, after } = range;
  const entries = await index.entries(path);
  for (let entry = firstFrom(entries, startIn(base, range)); entry !== undefined; entry = firstAfter(entries, entry)) {
    const full = base + entry;
    if (!full.startsWith(prefix) && !prefix.startsWith(full)) {
      if (full > prefix) return;
      continue;
    }
    if (entryKind(entry) === 'folder') {
      // Every key below starts with `full`.
      if (after > full && !after.startsWith(full)) continue;
      const folder = join(path, fileNameOf(entry));
      if (!range.rollsUp(full)) yield* walkFolder(index, folder, full, range);
      else if (!after.startsWith(full) && (await holdsObject(folder))) yield full;
    } else if (full > after && full.startsWith(prefix)) {
      yield full;
    }
  }
}

/** The first entry of a folder that can be part of the result. */
function startIn(base: ByteString, { prefix, after }: WalkRange): ByteString {
  const inside = (key: ByteString): ByteString => (key.startsWith(base) ? firstEntry(key.slice(base.length)) : '');
  const [fromPrefix, fromAfter] = [inside(prefix), inside(after)];
  return fromPrefix > fromAfter ? fromPrefix : fromAfter;
}

/** Stops at the first object, so that a full folder costs no more than an empty one. A crash may leave empty folders. */
async function holdsObject(path: string): Promise<boolean> {
  try {
    for await (const { name } of await opendir(path)) {
      const entry = entryOf(name);
      if (entry === undefined) continue;
      if (entryKind(entry) === 'object' || (await holdsObject(join(path, name)))) return true;
    }
    return false;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}
