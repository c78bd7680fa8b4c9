// Moves the outbox, single events and batches, to JetStream, rung for by this process's own commits; every process that appends
// events has a relay, so that nothing goes through the database to wake another. Many may run: SKIP LOCKED shares the rows
// among them. A crash after publishing and before marking publishes again with the same Nats-Msg-Id, which the stream drops; what slips past that, the inboxes drop.
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { Database, Transaction } from '../postgres/database.js';
import { Doorbell } from '../service/doorbell.js';
import { messagesOf } from './relay.messages.js';
import { claim, mark, sweep, SWEPT_MAX, type ClaimedRow } from './relay.statements.js';
import { StreamPublisher } from './stream-publisher.js';

export interface RelayOptions {
  database: Database;
  connection: NatsConnection;
  namespace: string;
  logger: Logger;
  metrics: Metrics;
  /** Longest wait for events that nobody rang for: those of a process that died right after its commit. Default 2,000. */
  pollMs?: number;
}

/** Of one round: as many single events, and batches that begin within as many. */
const EVENTS_MAX = 500;
/** Those of a calm time hold an event or two. */
const BATCHES_MAX = 20;
/** What an event may wait for others to share its round, while events keep coming. */
const PACE_MS = 5;
const POLL_MS = 2_000;
const RETRY_MS = 500;
const PUBLISH_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 60_000;
/** While there is more to sweep. */
const SWEEP_AGAIN_MS = 1_000;

export class OutboxRelay {
  private readonly publisher: StreamPublisher;
  private unsubscribe = () => {};
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly doorbell = new Doorbell();
  private sweepDueAt = 0;

  constructor(private readonly options: RelayOptions) {
    this.publisher = new StreamPublisher(options.connection, PUBLISH_TIMEOUT_MS);
  }

  start(): void {
    this.unsubscribe = this.options.database.onEventsAppended(() => this.doorbell.ring());
    this.running = this.run();
  }

  /** Publishes what is left, then ends. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    this.doorbell.ring();
    await this.running;
    this.publisher.close();
  }

  /** Publishes what fits into one round. Answers whether there may be more. */
  async publishNext(): Promise<boolean> {
    const { database, metrics, namespace } = this.options;
    const work = async (transaction: Transaction) => {
      const rows = await transaction.query<ClaimedRow>(claim, [EVENTS_MAX, BATCHES_MAX]);
      if (rows.length === 0) return false;
      const messages = rows.flatMap((row) => messagesOf(namespace, row));
      await this.publisher.publish(messages);
      const [singles, batches] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
      await transaction.query(
        mark,
        [singles, batches].map((marked) => marked.map(({ sequence }) => sequence)),
      );
      metrics.eventsPublished.inc(messages.length);
      return messages.length >= EVENTS_MAX || batches.length === BATCHES_MAX;
    };
    return database.transaction(work, { byIndex: true });
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const pace = sleep(PACE_MS);
        if (await this.publishNext()) continue;
        await this.sweep();
        await this.doorbell.sleep(this.options.pollMs ?? POLL_MS);
        await pace;
      } catch (error) {
        this.options.metrics.outboxFailures.inc();
        this.options.logger.warn({ err: error }, 'outbox relay failed; it will try again');
        await this.doorbell.sleep(RETRY_MS);
      }
    }
    await this.publishNext().catch((error: unknown) => this.options.logger.warn({ err: error }, 'outbox not flushed'));
  }

  private async sweep(): Promise<void> {
    if (Date.now() < this.sweepDueAt) return;
    const [row] = await this.options.database.query<{ swept: number }>(sweep);
    this.sweepDueAt = Date.now() + (row?.swept === SWEPT_MAX ? SWEEP_AGAIN_MS : SWEEP_INTERVAL_MS);
  }
}
