// Queues the events of replays, a batch in a transaction: the deliveries, how far the window has come, and the webhook's place in the
// queue commit together, so that a replay that is cut off goes on where it was and queues nothing twice.
import { PollingLoop, type Database, type Logger } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryStore } from '../store/delivery.store.js';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import type { ReplayStore } from '../store/replay.store.js';

export interface ReplayWorkerOptions {
  database: Database;
  replays: ReplayStore;
  deliveries: DeliveryStore;
  endpoints: EndpointQueueStore;
  /** Something is due. */
  onQueued: () => void;
  logger: Logger;
  pollMs?: number;
}

/** Longest wait when a wake-up was lost. */
const POLL_MS = 5_000;
/** While a webhook has enough ahead, its replay waits for that to be delivered. */
const AHEAD_PAUSE_MS = 1_000;
const BATCH_SIZE = 500;
/** Deliveries of a webhook that may wait before its replay goes on. */
const AHEAD_MAX = 1_000;

export class ReplayWorker {
  private readonly loop: PollingLoop;
  private stopping = false;

  constructor(private readonly options: ReplayWorkerOptions) {
    const { replays, logger, pollMs = POLL_MS } = options;
    this.loop = new PollingLoop({
      name: 'replaying',
      pollMs,
      logger,
      // Until every webhook has enough ahead.
      round: async () => (await this.runRound()) > 0,
      nextDueInMs: async () => ((await replays.isAny()) ? AHEAD_PAUSE_MS : null),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** There may be a new replay. */
  wakeUp(): void {
    this.loop.wakeUp();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
  }

  /** One batch of every replay whose webhook lets it; answers of how many. */
  async runRound(): Promise<number> {
    const served: string[] = [];
    for (let replay = await this.step(served); replay !== null && !this.stopping; replay = await this.step(served)) {
      served.push(replay);
    }
    return served.length;
  }

  /** Queues one batch of a replay that this round has not served; answers its id, or null when there is none. */
  private async step(served: readonly string[]): Promise<string | null> {
    const { database, replays, deliveries, endpoints, onQueued } = this.options;
    const replayed = await database.transaction(async (transaction) => {
      const replay = await replays.take(transaction, AHEAD_MAX, served);
      if (!replay) return null;
      const { chosen, position, isLast } = await replays.nextPage(transaction, replay, BATCH_SIZE);
      if (chosen.length > 0) {
        const queued = chosen.map(({ id, type }) => ({ id: uuidv7(), eventId: id, eventType: type }));
        await deliveries.enqueue(transaction, replay.tenant_id, replay.webhook_id, queued);
        await endpoints.join(transaction, replay.tenant_id, [{ id: replay.webhook_id, failing: false }]);
      }
      if (isLast) await replays.finish(transaction, replay);
      else await replays.advance(transaction, replay, position);
      return replay.id;
    });
    if (replayed !== null) onQueued();
    return replayed;
  }
}
