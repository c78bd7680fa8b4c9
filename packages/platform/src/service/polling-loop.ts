// A loop that works in rounds. The next one follows at once while there may be more to do. Otherwise the loop sleeps until it is
// woken or the next work is due. Wake-ups may be lost, so there is a round every `pollMs` in any case.
import type { Logger } from '../observability/logger.js';
import { WakeUpSignal } from './wake-up-signal.js';

export interface PollingLoopOptions {
  /** What the rounds are about, for the log. */
  name: string;
  /** The longest sleep. */
  pollMs: number;
  logger: Logger;
  /** One round; true when there may be more to do. */
  round: () => Promise<boolean>;
  /** Milliseconds until the next work is due; null when none is known. Asked after a round without more to do. */
  nextDueInMs?: () => Promise<number | null>;
  /** The shortest sleep, however soon work is due: it may be due and not for this loop to take. Default 50. */
  pauseMinMs?: number;
}

const PAUSE_MIN_MS = 50;
const FAULT_PAUSE_MS = 1_000;

export class PollingLoop {
  private readonly signal = new WakeUpSignal();
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(private readonly options: PollingLoopOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** There is something to do, now or in so many milliseconds. */
  wakeUp(inMs = 0): void {
    this.signal.send(inMs);
  }

  /** Ends after the round under way. */
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

  /** One round. Answers how long to sleep after it. */
  private async work(): Promise<number> {
    const { name, logger, round, nextDueInMs, pauseMinMs = PAUSE_MIN_MS } = this.options;
    try {
      if (await round()) return 0;
      return Math.max(pauseMinMs, (await nextDueInMs?.()) ?? Infinity);
    } catch (error) {
      logger.warn({ err: error }, `${name}: the round failed; the next one tries again`);
      return FAULT_PAUSE_MS;
    }
  }
}
