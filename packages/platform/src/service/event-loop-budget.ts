// Keeps long work from blocking the event loop: when its time budget is spent, it lets other work run.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { currentCall } from '../bus/current-call.js';

/** The longest time for which such work blocks the event loop. */
const BUDGET_MS = 2;

export class EventLoopBudget {
  private startedAt = performance.now();

  get isSpent(): boolean {
    return performance.now() >= this.startedAt + BUDGET_MS;
  }

  /** Lets other work run, and restarts the budget. In a heavy call, it also pauses while another tenant is active. */
  async renew(): Promise<void> {
    await currentCall()?.pause(this.startedAt);
    await yieldToEventLoop();
    this.startedAt = performance.now();
  }
}
