// Syncs files in the background while they are written, one sync per file at a time, so that little is left for the last sync. The kernel
// reports a failed write only once. The file is removed then, because a later sync would succeed.
import { open, rm } from 'node:fs/promises';
import { isSystemError } from '../s3-errors.js';

interface Sync {
  /** True when more was written since the sync began. */
  again: boolean;
  done: Promise<void>;
}

export class SyncBehind {
  readonly #running = new Map<string, Sync>();

  start(path: string): void {
    const running = this.#running.get(path);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const sync: Sync = { again: false, done: Promise.resolve() };
    this.#running.set(path, sync);
    sync.done = this.#run(path, sync).finally(() => this.#running.delete(path));
  }

  /** Resolves once no sync of the file is running. */
  async untilIdle(path: string): Promise<void> {
    await this.#running.get(path)?.done;
  }

  async #run(path: string, sync: Sync): Promise<void> {
    try {
      do {
        sync.again = false;
        await syncFile(path);
      } while (sync.again);
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
