// Makes renames and new names in folders survive a power cut. Whoever asks while a folder is being synced shares the next
// sync with all others who asked meanwhile: the disk takes as long for one name as for many.
import { open } from 'node:fs/promises';
import { isSystemError } from '../s3-errors.js';

export class FolderSync {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** Every change of the folder up to now is on the disk when this resolves. */
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

  /** Once no sync of the folder is under way or asked for. */
  async settled(path: string): Promise<void> {
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

/** A folder that is gone holds no names. */
async function syncFolder(path: string): Promise<void> {
  let handle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
