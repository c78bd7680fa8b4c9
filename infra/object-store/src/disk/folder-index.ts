// A cache of the sorted entries of folders. Only this process changes the folders, so the writers update the cache (added, removed), and it
// need not be compared with the disk.
import { readdir } from 'node:fs/promises';
import { entryOf, type Entry } from './key-path.js';
import { isSystemError } from '../s3-errors.js';

/** At most about 100 bytes each. Folders beyond this limit are read again for every page. */
const ENTRIES_MAX = 500_000;

export class FolderIndex {
  /** Ordered by use, the least recently used first. */
  readonly #folders = new Map<string, Entry[]>();
  /** Running reads. True once the folder has changed since, so that the result is not cached. */
  readonly #reading = new Map<string, { changed: boolean; entries: Promise<Entry[]> }>();
  #entries = 0;

  /** Sorted. It may change while the caller awaits something else, so look positions up again (`firstAfter`). */
  async entries(path: string): Promise<readonly Entry[]> {
    const known = this.#folders.get(path);
    if (known !== undefined) {
      this.#folders.delete(path);
      this.#folders.set(path, known);
      return known;
    }
    const running = this.#reading.get(path);
    if (running !== undefined && !running.changed) return running.entries;
    const reading = { changed: false, entries: readEntries(path) };
    this.#reading.set(path, reading);
    try {
      const entries = await reading.entries;
      if (!reading.changed) this.#cache(path, entries);
      return entries;
    } finally {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    }
  }

  added(path: string, entry: Entry): void {
    const known = this.#known(path);
    if (known === undefined) return;
    const at = firstIndexFrom(known, entry);
    if (known[at] === entry) return;
    known.splice(at, 0, entry);
    this.#entries += 1;
  }

  removed(path: string, entry: Entry): void {
    const known = this.#known(path);
    if (known === undefined) return;
    const at = firstIndexFrom(known, entry);
    if (known[at] !== entry) return;
    known.splice(at, 1);
    this.#entries -= 1;
  }

  /** Called when a folder was removed. */
  forget(path: string): void {
    const known = this.#known(path);
    if (known === undefined) return;
    this.#folders.delete(path);
    this.#entries -= known.length;
  }

  #known(path: string): Entry[] | undefined {
    const reading = this.#reading.get(path);
    if (reading !== undefined) reading.changed = true;
    return this.#folders.get(path);
  }

  #cache(path: string, entries: Entry[]): void {
    if (entries.length > ENTRIES_MAX || this.#folders.has(path)) return;
    this.#folders.set(path, entries);
    this.#entries += entries.length;
    for (const [oldest, { length }] of this.#folders) {
      if (this.#entries <= ENTRIES_MAX && this.#folders.size <= ENTRIES_MAX / 50) break;
      if (oldest === path) continue;
      this.#folders.delete(oldest);
      this.#entries -= length;
    }
  }
}

async function readEntries(path: string): Promise<Entry[]> {
  try {
    const names = await readdir(path);
    return names
      .map(entryOf)
      .filter((entry) => entry !== undefined)
      .sort((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENAMETOOLONG')) return [];
    throw error;
  }
}

/** The position of the first entry that is not less than `bound`. */
function firstIndexFrom(entries: readonly Entry[], bound: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] ?? '') < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const firstFrom = (entries: readonly Entry[], bound: string): Entry | undefined =>
  entries[firstIndexFrom(entries, bound)];

/** `\0` is the smallest possible suffix. */
export const firstAfter = (entries: readonly Entry[], entry: Entry): Entry | undefined =>
  firstFrom(entries, `${entry}\0`);
