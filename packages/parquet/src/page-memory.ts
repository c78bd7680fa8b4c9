import { unsupported } from './parquet-error.js';

/** What the pages hold that are read at the same time: one of each column, and its dictionary. Writers make pages of 1 MiB. */
const HELD_BYTES_MAX = 32 * 1_024 * 1_024;

export class PageMemory {
  private readonly held = new Map<string, number>();

  /** Throws before `bytes` are allocated in place of those that `holder` had. */
  hold(holder: string, bytes: number): void {
    this.held.set(holder, bytes);
    const all = [...this.held.values()].reduce((sum, one) => sum + one, 0);
    if (all > HELD_BYTES_MAX) throw unsupported('the pages of a row take more than 32 MiB');
  }
}
