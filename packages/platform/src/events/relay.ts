// Moves the outbox to JetStream, rung for by this process's own commits; every process that appends events has a relay, so
// that nothing goes through the database to wake another. Many may run: SKIP LOCKED shares the rows among them. A crash after publishing and before
// marking publishes again with the same Nats-Msg-Id, which the stream drops; what slips past that, the inboxes drop.
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventSubject } from '../bus/names.js';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';
import { Doorbell } from '../service/doorbell.js';
import { StreamPublisher, type StreamMessage } from './stream-publisher.js';

export interface RelayOptions {
  database: Database;
  connection: NatsConnection;
  namespace: string;
  logger: Logger;
  metrics: Metrics;
  /** Longest wait for events that nobody rang for: those of a process that died right after its commit. Default 2,000. */
  pollMs?: number;
}

const BATCH_SIZE = 500;
/** What an event may wait for others to share its batch, while events keep coming. */
const PACE_MS = 5;
const POLL_MS = 2_000;
const RETRY_MS = 500;
const PUBLISH_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 60_000;

const claim = statement(
  'platform.outbox_claim',
  `select sequence, id, type, envelope from outbox where published_at is null
   order by sequence limit $1 for update skip locked`,
);
const mark = statement(
  'platform.outbox_mark',
  'update outbox set published_at = now() where sequence = any($1::bigint[])',
);
const sweepOutbox = statement(
  'platform.outbox_sweep',
  `delete from outbox where sequence in
     (select sequence from outbox where published_at < now() - interval '24 hours' limit 5000)`,
);
/** Longer than the stream keeps events, so that no late redelivery finds its row gone. */
const sweepInbox = statement(
  'platform.inbox_sweep',
  `delete from inbox where (consumer, event_id) in
     (select consumer, event_id from inbox where received_at < now() - interval '8 days' limit 5000)`,
);

interface OutboxRow {
  sequence: number;
  id: string;
  type: string;
  envelope: string;
}

export class OutboxRelay {
  private readonly publisher: StreamPublisher;
  private unsubscribe = () => {};
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly doorbell = new Doorbell();
  private sweptAt = 0;

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

  /** Publishes one batch. Returns how many events it held. */
  async publishBatch(): Promise<number> {
    return this.options.database.transaction(async (transaction) => {
      const rows = await transaction.query<OutboxRow>(claim, [BATCH_SIZE]);
      if (rows.length === 0) return 0;
      await this.publisher.publish(rows.map((row) => this.messageOf(row)));
      await transaction.query(mark, [rows.map((row) => row.sequence)]);
      this.options.metrics.eventsPublished.inc(rows.length);
      return rows.length;
    });
  }

  private messageOf({ id, type, envelope }: OutboxRow): StreamMessage {
    return { subject: eventSubject(this.options.namespace, type), id, payload: envelope };
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const pace = sleep(PACE_MS);
        if ((await this.publishBatch()) === BATCH_SIZE) continue;
        await this.sweep();
        await this.doorbell.sleep(this.options.pollMs ?? POLL_MS);
        await pace;
      } catch (error) {
        this.options.metrics.outboxFailures.inc();
        this.options.logger.warn({ err: error }, 'outbox relay failed; it will try again');
        await this.doorbell.sleep(RETRY_MS);
      }
    }
    await this.publishBatch().catch((error: unknown) => this.options.logger.warn({ err: error }, 'outbox not flushed'));
  }

  private async sweep(): Promise<void> {
    if (Date.now() - this.sweptAt < SWEEP_INTERVAL_MS) return;
    this.sweptAt = Date.now();
    await this.options.database.query(sweepOutbox);
    await this.options.database.query(sweepInbox);
  }
}
