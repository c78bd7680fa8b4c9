// Lets a use case wake a worker of its process without knowing it: the worker's module connects the two. Extend it, one class for each
// worker, which is then the token that Nest injects.
import type { PollingLoop } from './polling-loop.js';

export class WorkNotifier {
  private worker: Pick<PollingLoop, 'wakeUp'> | null = null;

  /** Connects the worker. Without one, a notification does nothing: the safety poll finds the work. */
  connect(worker: Pick<PollingLoop, 'wakeUp'>): void {
    this.worker = worker;
  }

  /** Wakes the worker, now or after a delay in milliseconds. */
  wakeUp(inMs?: number): void {
    this.worker?.wakeUp(inMs);
  }
}
