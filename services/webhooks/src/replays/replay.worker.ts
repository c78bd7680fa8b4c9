// Queues the events of replays, one batch per transaction: the deliveries, the position in the window, and the webhook's place in the
// queue commit together, so that an interrupted replay resumes at its position and queues nothing twice.
import { Database, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DeliveryStore } from '../deliveries/delivery.store.js';
import { DeliveryWorker } from '../sending/delivery.worker.js';
import { ReplayStore } from './replay.store.js';

/** The safety poll. */
const POLL_MS = 5_000;
/** The pause while all webhooks have enough deliveries queued. */
const AHEAD_PAUSE_MS = 1_000;
const BATCH_SIZE = 500;
/** The maximum number of queued deliveries of a webhook for its replay to continue. */
const AHEAD_MAX = 1_000;

/** Injection token: another safety poll. */
export const REPLAY_POLL_MS = Symbol('replay poll');

@Injectable()
export class ReplayWorker extends PollingLoop {
  constructor(
    private readonly database: Database,
    private readonly replays: ReplayStore,
    private readonly deliveries: DeliveryStore,
    /** Sends a wake-up when something is due. */
    @Inject(DeliveryWorker) private readonly worker: Pick<DeliveryWorker, 'wakeUp'>,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(REPLAY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'replaying',
      pollMs,
      logger,
      // Rounds follow one another until every webhook has enough deliveries queued.
      round: async () => (await this.runRound()) > 0,
      nextDueInMs: async () => ((await this.replays.isAny()) ? AHEAD_PAUSE_MS : null),
    });
  }

  /** Queues one batch of every replay whose webhook has room. Returns the number of replays. */
  async runRound(): Promise<number> {
    const served: string[] = [];
    for (let replay = await this.step(served); replay !== null && !this.isStopping; replay = await this.step(served)) {
      served.push(replay);
    }
    return served.length;
  }

  /** Queues one batch of a replay that this round has not served. Returns its id, or null without such a replay. */
  private async step(served: readonly string[]): Promise<string | null> {
    const replayed = await this.database.transaction(async (transaction) => {
      const replay = await this.replays.take(transaction, AHEAD_MAX, served);
      if (!replay) return null;
      const { chosen, position, isLast } = await this.replays.nextBatch(transaction, replay, BATCH_SIZE);
      if (chosen.length > 0) {
        const queued = chosen.map(({ id, type }) => ({ id: uuidv7(), eventId: id, eventType: type }));
        await this.deliveries.enqueue(transaction, replay.tenant_id, replay.webhook_id, queued);
      }
      if (isLast) await this.replays.finish(transaction, replay);
      else await this.replays.advance(transaction, replay, position);
      return replay.id;
    });
    if (replayed !== null) this.worker.wakeUp();
    return replayed;
  }
}
