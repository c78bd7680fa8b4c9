// Claims due polls of queues and runs them. A poll that waits for a message is ended when the worker stops.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { PollQueue, PollResult } from './poll-queue.usecase.js';
import type { ClaimedPoll, HeldPolls, QueuePollStore } from './queue-poll.store.js';

export interface NotificationsWorkerOptions {
  polls: QueuePollStore;
  pollQueue: PollQueue;
  concurrency: number;
  logger: Logger;
  onEnded: (result: PollResult) => void;
  /** How often due polls are looked for without a wake-up. */
  pollMs?: number;
}

const POLL_MS = 5_000;
/** How long a poll waits for a message: the most that SQS allows, and less while other queues wait for a slot. */
const WAIT_SECONDS = 20;
const BUSY_WAIT_SECONDS = 1;

export class NotificationsWorker {
  private readonly running = new Map<Promise<void>, ClaimedPoll>();
  private readonly stopping = new AbortController();
  private readonly loop: PollingLoop;

  constructor(private readonly options: NotificationsWorkerOptions) {
    const { logger, pollMs = POLL_MS } = options;
    this.loop = new PollingLoop({
      name: 'reading queues of notifications',
      pollMs,
      logger,
      round: () => this.claim(),
      nextDueInMs: () => this.nextDueInMs(),
    });
  }

  get runningCount(): number {
    return this.running.size;
  }

  start(): void {
    this.loop.start();
  }

  /** A poll may be due. */
  wakeUp(): void {
    this.loop.wakeUp();
  }

  /** Polls that apply changes end after their batch. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.stopping.abort();
    await Promise.all(this.running.keys());
  }

  private async claim(): Promise<boolean> {
    if (this.freeSlots <= 0) return false;
    const claimed = await this.options.polls.claim(this.freeSlots, this.held);
    const waitSeconds = claimed.length < this.freeSlots ? WAIT_SECONDS : BUSY_WAIT_SECONDS;
    for (const poll of claimed) this.begin(poll, waitSeconds);
    return false;
  }

  /** While all slots are taken, the end of a poll starts the next round. */
  private async nextDueInMs(): Promise<number | null> {
    return this.freeSlots > 0 ? this.options.polls.nextDueInMs(this.held) : null;
  }

  private get freeSlots(): number {
    return this.options.concurrency - this.running.size;
  }

  private get held(): HeldPolls {
    const held = new Map<string, number>();
    for (const { tenant_id } of this.running.values()) held.set(tenant_id, (held.get(tenant_id) ?? 0) + 1);
    return { held, heldMax: Math.max(1, Math.floor(this.options.concurrency / 2)) };
  }

  private begin(poll: ClaimedPoll, waitSeconds: number): void {
    const run = this.run(poll, waitSeconds).finally(() => {
      this.running.delete(run);
      this.loop.wakeUp();
    });
    this.running.set(run, poll);
  }

  private async run(poll: ClaimedPoll, waitSeconds: number): Promise<void> {
    const { pollQueue, logger, onEnded } = this.options;
    try {
      onEnded(await pollQueue.execute(poll, { waitSeconds, signal: this.stopping.signal }));
    } catch (error) {
      const about = { connectionId: poll.connection_id, tenantId: poll.tenant_id };
      logger.warn({ err: error, ...about }, 'Poll failed; the queue is polled again when its lease expires');
    }
  }
}
