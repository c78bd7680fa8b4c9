// Makes renames and new names in folders survive a power failure. Requests that arrive while a folder is synced share the next sync: the disk
// takes as long for one name as for many.
import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { isSystemError } from '../s3-errors.js';

export class FolderSync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** Resolves when every change of the folder up to now is on the disk. */
  sync(path: string): Promise<void> {
    const next = this.#next.get(path);
    if (next !== undefined) return next;
    const running = this.#running.get(path);
    if (running === undefined) return this.#start(path);
    const queued = running
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(path);
        return this.#start(path);
      });
    this.#next.set(path, queued);
    return queued;
  }

  /** Resolves once no sync of the folder is running or requested. */
  async untilIdle(path: string): Promise<void> {
    await (this.#next.get(path) ?? this.#running.get(path));
  }

  #start(path: string): Promise<void> {
    const sync = syncFolder(path).finally(() => {
      if (this.#running.get(path) === sync) this.#running.delete(path);
    });
    this.#running.set(path, sync);
    return sync;
  }
}

const fileSync = promisify(fsync);

/** A removed folder has no names to sync. Only the sync itself is asynchronous. */
async function syncFolder(path: string): Promise<void> {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    await fileSync(folder);
  } finally {
    closeSync(folder);
  }
}

function openFolder(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
