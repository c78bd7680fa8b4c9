// A loop that works in rounds. The next round follows at once while there may be more to do. Otherwise the loop sleeps until it is
// woken or the next work is due. Wake-ups may be lost, so a round runs every `pollMs` in any case (safety poll). A worker with one loop
// extends it. As a provider, Nest starts it when the application is complete, and stops it at shutdown.
import type { Logger } from '../observability/logger.js';
import { WakeUpSignal } from './wake-up-signal.js';

export interface PollingLoopOptions {
  /** The name of the loop, for the log. */
  name: string;
  /** The longest sleep. */
  pollMs: number;
  logger: Logger;
  /** Runs one round. Returns true if there may be more to do. */
  round: () => Promise<boolean>;
  /** Milliseconds until the next work is due. Null if none is known. Called after a round that found no more to do. */
  nextDueInMs?: () => Promise<number | null>;
  /** The shortest sleep, even if work is due: another worker may have to take it. Default 50. */
  pauseMinMs?: number;
}

const PAUSE_MIN_MS = 50;
const FAULT_PAUSE_MS = 1_000;

export class PollingLoop {
  private readonly signal = new WakeUpSignal();
  private running: Promise<void> | undefined;
  private stopping = false;

  constructor(private readonly options: PollingLoopOptions) {}

  /** Whether `stop` was called. A long round asks, to end early. */
  get isStopping(): boolean {
    return this.stopping;
  }

  start(): void {
    this.running ??= this.run();
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Wakes the loop, now or after a delay in milliseconds. */
  wakeUp(inMs = 0): void {
    this.signal.send(inMs);
  }

  /** Stops after the current round. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.signal.send();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const pauseMs = await this.work();
      if (pauseMs > 0 && !this.stopping) await this.signal.sleep(Math.min(this.options.pollMs, pauseMs));
    }
  }

  /** Runs one round and returns how long to sleep after it. */
  private async work(): Promise<number> {
    const { name, logger, round, nextDueInMs, pauseMinMs = PAUSE_MIN_MS } = this.options;
    try {
      if (await round()) return 0;
      return Math.max(pauseMinMs, (await nextDueInMs?.()) ?? Infinity);
    } catch (error) {
      logger.warn({ err: error }, `${name}: round failed; the next one will retry`);
      return FAULT_PAUSE_MS;
    }
  }
}
