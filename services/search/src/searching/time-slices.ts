// Divides long work into slices, between which the process does other work.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** The longest time for which a search blocks the event loop. */
const SLICE_MS = 5;

export class TimeSlices {
  private end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Lets other work run, and begins the next slice. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.end = performance.now() + SLICE_MS;
  }
}
