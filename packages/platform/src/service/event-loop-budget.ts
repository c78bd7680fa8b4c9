// Keeps long work from blocking the event loop: when its time budget is spent, it lets other work run.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** The longest time for which such work blocks the event loop. */
const BUDGET_MS = 2;

export class EventLoopBudget {
  private end = performance.now() + BUDGET_MS;

  get isSpent(): boolean {
    return performance.now() >= this.end;
  }

  /** Lets other work run, and restarts the budget. */
  async renew(): Promise<void> {
    await yieldToEventLoop();
    this.end = performance.now() + BUDGET_MS;
  }
}
