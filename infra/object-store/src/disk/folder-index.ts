// The sorted entries of folders, remembered while they fit. Only this process changes the folders, so the memory is kept
// true by the writers (added, removed) instead of being checked against the disk.
import { readdir } from 'node:fs/promises';
import { entryOf, type Entry } from './key-path.js';
import { isSystemError } from '../s3-errors.js';

/** About 100 bytes each at most; folders beyond are read again for every page. */
const ENTRIES_MAX = 500_000;

export class FolderIndex {
  /** In order of use, the least recent first. */
  readonly #folders = new Map<string, Entry[]>();
  /** Reads under way; true once the folder changed meanwhile, so that the result is not kept. */
  readonly #reading = new Map<string, { changed: boolean; entries: Promise<Entry[]> }>();
  #entries = 0;

  /** Sorted; may change while the caller awaits something else, so look positions up again (`firstAfter`). */
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
      if (!reading.changed) this.#remember(path, entries);
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

  /** A folder that is gone. */
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

  #remember(path: string, entries: Entry[]): void {
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

/** Position of the first entry that is not below `bound`. */
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

/** `\0` is the least that can follow. */
export const firstAfter = (entries: readonly Entry[], entry: Entry): Entry | undefined =>
  firstFrom(entries, `${entry}\0`);
