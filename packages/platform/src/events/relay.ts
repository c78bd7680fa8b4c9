// Moves the outbox to JetStream. Many may run: SKIP LOCKED shares the rows among them. A crash after publishing and before
// marking publishes again with the same Nats-Msg-Id, which the stream drops; what slips past that, the inboxes drop.
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
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
}

const BATCH_SIZE = 500;
/** What an event may wait for others to share its batch, while events keep coming. */
const PACE_MS = 20;
/** Longest wait when a NOTIFY was lost. */
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
  private listener: pg.Client | null = null;
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly doorbell = new Doorbell();
  private sweptAt = 0;

  constructor(private readonly options: RelayOptions) {
    this.publisher = new StreamPublisher(options.connection, PUBLISH_TIMEOUT_MS);
  }

  start(): void {
    this.running = this.run();
  }

  /** Publishes what is left, then ends. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.doorbell.ring();
    await this.running;
    this.publisher.close();
    await this.listener?.end().catch(() => {});
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
        await this.ensureListening();
        const pace = sleep(PACE_MS);
        if ((await this.publishBatch()) === BATCH_SIZE) continue;
        await this.sweep();
        await this.doorbell.sleep(POLL_MS);
        await pace;
      } catch (error) {
        this.options.metrics.outboxFailures.inc();
        this.options.logger.warn({ err: error }, 'outbox relay failed; it will try again');
        await this.doorbell.sleep(RETRY_MS);
      }
    }
    await this.publishBatch().catch((error: unknown) => this.options.logger.warn({ err: error }, 'outbox not flushed'));
  }

  private async ensureListening(): Promise<void> {
    if (this.listener) return;
    const client = await this.options.database.dedicatedClient();
    const forget = () => {
      if (this.listener === client) this.listener = null;
      this.doorbell.ring();
    };
    client.on('error', forget);
    client.on('end', forget);
    client.on('notification', () => this.doorbell.ring());
    await client.query(`listen outbox_${this.options.database.schema}`);
    this.listener = client;
  }

  private async sweep(): Promise<void> {
    if (Date.now() - this.sweptAt < SWEEP_INTERVAL_MS) return;
    this.sweptAt = Date.now();
    await this.options.database.query(sweepOutbox);
    await this.options.database.query(sweepInbox);
  }
}
