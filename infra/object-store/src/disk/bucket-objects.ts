// The objects of one bucket: publish, open, delete. Changes of one key run one after the other. A folder is created with the first object
// below it and removed with the last. Both are synchronous calls, so neither sees the other half done, and a call that takes microseconds
// does not wait for another thread. Only syncs of the disk are asynchronous.
import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { toByteString } from '../byte-string.js';
import { isSystemError, S3Error } from '../s3-errors.js';
import type { FolderIndex } from './folder-index.js';
import { fileNameOf, folderPath, splitKey, type Entry } from './key-path.js';
import type { KeyedLock } from './keyed-lock.js';
import {
  describeObject,
  discardFile,
  openObject,
  type ObjectDescription,
  type OpenObject,
  type StagedFile,
} from './object-file.js';
import type { FolderSync } from './sync-folder.js';

export interface BucketObjectsContext {
  root: string;
  index: FolderIndex;
  lock: KeyedLock;
  /** Undefined: names need not survive a power failure. */
  sync: FolderSync | undefined;
}

/** Receives the key's current object, or undefined. Throws to refuse the write. */
export type WriteCondition = (current: ObjectDescription | undefined) => void;

interface Place {
  folders: Entry[];
  leaf: Entry;
  folder: string;
  path: string;
}

export class BucketObjects {
  readonly #context: BucketObjectsContext;

  constructor(context: BucketObjectsContext) {
    this.#context = context;
  }

  get root(): string {
    return this.#context.root;
  }

  /** Publishes a staged file as the object of its key, atomically. If the write is refused or fails, the file is removed unless it must be kept. */
  async publish(staged: StagedFile, condition?: WriteCondition): Promise<void> {
    const place = this.#place(staged.description.key);
    try {
      await this.#context.lock.run(place.path, async () => {
        if (condition !== undefined) condition(await this.#describe(place));
        await this.#moveIntoPlace(staged.path, place);
      });
    } catch (error) {
      if (staged.kept !== true) await discardFile(staged.path);
      throw isSystemError(error, 'ENAMETOOLONG') ? new S3Error('KeyTooLongError') : error;
    }
  }

  async open(key: string): Promise<OpenObject> {
    try {
      return await openObject(this.#place(key).path);
    } catch (error) {
      throw isMissingFile(error) ? new S3Error('NoSuchKey') : error;
    }
  }

  /** Returns undefined when the object does not exist. */
  async describe(key: string): Promise<ObjectDescription | undefined> {
    return this.#describe(this.#place(key));
  }

  /** Succeeds when the object does not exist. */
  async delete(key: string): Promise<void> {
    const place = this.#place(key);
    const { index, lock, sync } = this.#context;
    await lock.run(place.path, async () => {
      try {
        await unlink(place.path);
      } catch (error) {
        if (isMissingFile(error)) return;
        throw error;
      }
      index.removed(place.folder, place.leaf);
      await sync?.sync(place.folder);
    });
    this.#removeEmptyFolders(place.folders);
  }

  async #moveIntoPlace(from: string, place: Place): Promise<void> {
    const { root, index, sync } = this.#context;
    const above = place.folders.map((_, depth) => folderPath(root, place.folders.slice(0, depth)));
    const changed = this.#makeFolders(place.folders, above);
    renameSync(from, place.path);
    index.added(place.folder, place.leaf);
    if (sync === undefined) return;
    // Folders that another write created above this object must also be synced for this one.
    await Promise.all([
      ...above.map((path) => (changed.has(path) ? sync.sync(path) : sync.untilIdle(path))),
      sync.sync(place.folder),
    ]);
  }

  /** Creates the missing folders. Returns the folders that got a new entry. */
  #makeFolders(folders: readonly Entry[], above: readonly string[]): Set<string> {
    const changed = new Set<string>();
    const make = (depth: number): boolean => {
      const [parent = '', entry = ''] = [above[depth], folders[depth]];
      try {
        mkdirSync(join(parent, fileNameOf(entry)), { mode: 0o700 });
        this.#context.index.added(parent, entry);
        changed.add(parent);
      } catch (error) {
        if (isSystemError(error, 'ENOENT')) return false;
        if (!isSystemError(error, 'EEXIST')) throw error;
      }
      return true;
    };
    // Nearly always, all folders but the last exist.
    if (folders.length === 0 || make(folders.length - 1)) return changed;
    for (const depth of folders.keys()) if (!make(depth)) throw new S3Error('NoSuchBucket');
    return changed;
  }

  #removeEmptyFolders(folders: readonly Entry[]): void {
    const { index, root } = this.#context;
    for (let depth = folders.length; depth > 0; depth -= 1) {
      const path = folderPath(root, folders.slice(0, depth));
      try {
        rmdirSync(path);
      } catch (error) {
        if (isMissingFile(error)) continue;
        return; // not empty: neither are the folders above
      }
      index.forget(path);
      index.removed(folderPath(root, folders.slice(0, depth - 1)), folders[depth - 1] ?? '');
    }
  }

  async #describe(place: Place): Promise<ObjectDescription | undefined> {
    try {
      return await describeObject(place.path);
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  #place(key: string): Place {
    const { folders, leaf } = splitKey(toByteString(key));
    const folder = folderPath(this.#context.root, folders);
    return { folders, leaf, folder, path: join(folder, fileNameOf(leaf)) };
  }
}

const isMissingFile = (error: unknown): boolean => isSystemError(error, 'ENOENT', 'ENAMETOOLONG');
