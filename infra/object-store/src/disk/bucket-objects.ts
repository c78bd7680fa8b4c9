// The objects of one bucket: publish, open, delete. A key's changes run one after the other; the folders above it are
// only made and removed under one lock, so that the last delete in a folder never races the first write into it.
import { mkdir, rename, rmdir, unlink } from 'node:fs/promises';
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
import { syncFolder } from './sync-folder.js';

export interface BucketObjectsContext {
  root: string;
  index: FolderIndex;
  lock: KeyedLock;
  durable: boolean;
}

/** Looks at what the key holds now (undefined for nothing) and throws to refuse the write. */
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

  /** Makes a staged file the object of its key at once; a refused or failed write removes it unless it is to be kept. */
  async publish(staged: StagedFile, condition?: WriteCondition): Promise<void> {
    const place = this.#place(staged.description.key);
    const { index, lock, durable } = this.#context;
    try {
      await lock.run(place.path, async () => {
        if (condition !== undefined) condition(await this.#describe(place));
        await this.#moveIntoPlace(staged.path, place);
        index.added(place.folder, place.leaf);
        if (durable) await syncFolder(place.folder);
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

  /** Undefined when there is no such object. */
  async describe(key: string): Promise<ObjectDescription | undefined> {
    return this.#describe(this.#place(key));
  }

  /** Deleting what is not there succeeds. */
  async delete(key: string): Promise<void> {
    const place = this.#place(key);
    const { index, lock, durable } = this.#context;
    await lock.run(place.path, async () => {
      try {
        await unlink(place.path);
      } catch (error) {
        if (isMissingFile(error)) return;
        throw error;
      }
      index.removed(place.folder, place.leaf);
      if (durable) await syncFolder(place.folder);
    });
    await this.#removeEmptyFolders(place.folders);
  }

  async #moveIntoPlace(from: string, place: Place): Promise<void> {
    try {
      await rename(from, place.path);
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
      await this.#context.lock.run(this.#context.root, async () => {
        await this.#makeFolders(place.folders);
        await rename(from, place.path);
      });
    }
  }

  async #makeFolders(folders: readonly Entry[]): Promise<void> {
    const { index, durable } = this.#context;
    let parent = this.#context.root;
    for (const entry of folders) {
      const path = join(parent, fileNameOf(entry));
      try {
        await mkdir(path, { mode: 0o700 });
        index.added(parent, entry);
        if (durable) await syncFolder(parent);
      } catch (error) {
        if (isSystemError(error, 'ENOENT')) throw new S3Error('NoSuchBucket');
        if (!isSystemError(error, 'EEXIST')) throw error;
      }
      parent = path;
    }
  }

  async #removeEmptyFolders(folders: readonly Entry[]): Promise<void> {
    if (folders.length === 0) return;
    const { index, lock, root } = this.#context;
    await lock.run(root, async () => {
      for (let depth = folders.length; depth > 0; depth -= 1) {
        const path = folderPath(root, folders.slice(0, depth));
        try {
          await rmdir(path);
        } catch (error) {
          if (isMissingFile(error)) continue;
          return; // not empty: neither are the folders above
        }
        index.forget(path);
        index.removed(folderPath(root, folders.slice(0, depth - 1)), folders[depth - 1] ?? '');
      }
    });
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
