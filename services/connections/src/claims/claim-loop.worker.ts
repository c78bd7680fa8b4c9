// Claims due work for its free slots, and runs what it has claimed. A tenant takes up to half of the slots.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { HeldSlots } from './held-slots.domain.js';

export interface ClaimLoopOptions<Work> {
  /** The name of the loop, for the log. */
  name: string;
  /** The number of slots. */
  concurrency: number;
  logger: Logger;
  pollMs?: number | undefined;
  claim: (count: number, held: HeldSlots) => Promise<Work[]>;
  nextDueInMs: (held: HeldSlots) => Promise<number | null>;
  /** Must not reject. The worker aborts it when it stops. */
  run: (work: Work, controller: AbortController) => Promise<void>;
}

interface Run<Work> {
  work: Work;
  controller: AbortController;
}

/** The safety poll. */
const POLL_MS = 5_000;

export class ClaimLoop<Work extends { tenant_id: string }> extends PollingLoop {
  protected readonly runs = new Map<Promise<void>, Run<Work>>();

  constructor(private readonly claims: ClaimLoopOptions<Work>) {
    const { name, logger, pollMs = POLL_MS } = claims;
    super({ name, pollMs, logger, round: () => this.claim(), nextDueInMs: () => this.claimableInMs() });
  }

  get runningCount(): number {
    return this.runs.size;
  }

  override async stop(): Promise<void> {
    await super.stop();
    for (const { controller } of this.runs.values()) controller.abort();
    await Promise.all(this.runs.keys());
  }

  private async claim(): Promise<boolean> {
    if (this.freeSlots <= 0) return false;
    for (const work of await this.claims.claim(this.freeSlots, this.held)) this.begin(work);
    return false;
  }

  /** While all slots are taken, the end of a run starts the next round. */
  private async claimableInMs(): Promise<number | null> {
    return this.freeSlots > 0 ? this.claims.nextDueInMs(this.held) : null;
  }

  private get freeSlots(): number {
    return this.claims.concurrency - this.runs.size;
  }

  private get held(): HeldSlots {
    const held = new Map<string, number>();
    for (const { work } of this.runs.values()) held.set(work.tenant_id, (held.get(work.tenant_id) ?? 0) + 1);
    return { held, heldMax: Math.max(1, Math.floor(this.claims.concurrency / 2)) };
  }

  private begin(work: Work): void {
    const controller = new AbortController();
    const run = this.claims.run(work, controller).finally(() => {
      this.runs.delete(run);
      this.wakeUp();
    });
    this.runs.set(run, { work, controller });
  }
}
