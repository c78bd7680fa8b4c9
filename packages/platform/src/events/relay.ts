// Publishes the outbox to JetStream. Commits of the same process wake the relay. Every process that appends events runs one, so no
// wake-up goes through the database. Relays may run concurrently: SKIP LOCKED divides the rows. A crash between publishing and
// marking causes a second publish with the same Nats-Msg-Id; the stream drops it, or else the inboxes do.
import { setTimeout as sleep } from 'node:timers/promises';
import { publicEvents, type CloudEvent, type TraceContext } from '@kiln/contracts';
import { eventSubject, publicEventSubject } from '../bus/names.js';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/transaction.js';
import { WakeUpSignal } from '../service/wake-up-signal.js';
import { DeadLetters } from './dead-letters.js';
import { publishSpans } from './event-spans.js';
import { claim, mark, sweep, SWEPT_MAX, type ClaimedEvent } from './relay.statements.js';
import { ensureStreams, type StreamOptions } from './streams.js';
import { StreamPublisher, UnsendableError, type StreamMessage } from './stream-publisher.js';
import { UnsendableRows, type UnsendableRow } from './unsendable-rows.js';

export interface RelayOptions extends StreamOptions {
  database: Database;
  /** The service that owns the outbox. */
  service: string;
  logger: Logger;
  metrics: Metrics;
  /** Poll interval for events without a wake-up, for example after a process crashed behind its commit. Default 5,000. */
  pollMs?: number;
}

/** Events per round. */
const EVENTS_MAX = 500;
/** How long an event may wait for others to share its round, while events keep arriving. */
const PACE_MS = 5;
const POLL_MS = 5_000;
const RETRY_MS = 500;
const PUBLISH_TIMEOUT_MS = 5_000;
const SWEEP_INTERVAL_MS = 60_000;
/** Milliseconds between sweeps while there is more to remove. */
const SWEEP_AGAIN_MS = 1_000;

const publicTypes: ReadonlySet<string> = new Set(publicEvents.map(({ type }) => type));

interface Sent {
  sent: ClaimedEvent[];
  unsendable: UnsendableRow[];
}

export class OutboxRelay {
  private readonly publisher: StreamPublisher;
  private readonly unsendable: UnsendableRows;
  private unsubscribe = () => {};
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly signal = new WakeUpSignal();
  private sweepDueAt = 0;
  private isFailing = false;

  constructor(private readonly options: RelayOptions) {
    this.publisher = new StreamPublisher(options.connection, PUBLISH_TIMEOUT_MS);
    this.unsendable = new UnsendableRows({
      ...options,
      quarantinedCount: options.metrics.outboxQuarantined,
      deadLetters: new DeadLetters(options.connection, options.namespace),
    });
  }

  /** Whether the events of this process could not be published in the last round. */
  get standsStill(): boolean {
    return this.isFailing;
  }

  start(): void {
    const stopHearing = this.options.database.onEventsAppended(() => this.signal.send());
    const requeues = this.unsendable.listen(() => this.signal.send());
    this.unsubscribe = () => {
      stopHearing();
      requeues.unsubscribe();
    };
    this.running = this.run();
  }

  /** Publishes the remaining events, then stops. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    this.signal.send();
    await this.running;
    this.publisher.close();
  }

  /** Publishes one round of events. Returns whether there may be more. */
  async publishNext(): Promise<boolean> {
    const { database, metrics } = this.options;
    const work = async (transaction: Transaction) => {
      const events = await transaction.query<ClaimedEvent>(claim, [EVENTS_MAX]);
      if (events.length === 0) return false;
      const { sent, unsendable } = await this.send(events);
      await transaction.query(mark, [sent.map(({ sequence }) => sequence)]);
      for (const row of unsendable) await this.unsendable.failed(transaction, row);
      metrics.eventsPublished.add(sent.length);
      return events.length === EVENTS_MAX || unsendable.length > 0;
    };
    return database.transaction(work, { byIndex: true });
  }

  private async send(events: ClaimedEvent[]): Promise<Sent> {
    const { traces, end } = publishSpans(events);
    try {
      await this.publisher.publish(events.flatMap((row, index) => this.messagesOf(row, traces[index])));
      end();
      return { sent: events, unsendable: [] };
    } catch (error) {
      end(error);
      if (!(error instanceof UnsendableError)) throw error;
      return this.sendOneByOne(events);
    }
  }

  /**
   * Publishes the events of a failed round one at a time, so that an unsendable row does not block the others. Throws if the broker
   * is unavailable.
   */
  private async sendOneByOne(events: ClaimedEvent[]): Promise<Sent> {
    const outcome: Sent = { sent: [], unsendable: [] };
    for (const row of events) {
      try {
        await this.publisher.publish(this.messagesOf(row));
        outcome.sent.push(row);
      } catch (error) {
        if (!(error instanceof UnsendableError)) throw error;
        outcome.unsendable.push({ row, error });
      }
    }
    return outcome;
  }

  /** A public event is also stored by tenant, where callers follow the events of theirs (public-event-feed.ts). */
  private messagesOf({ id, type, envelope }: ClaimedEvent, trace?: TraceContext): StreamMessage[] {
    const { namespace } = this.options;
    const message = { id, subject: eventSubject(namespace, type), payload: envelope, trace };
    if (!publicTypes.has(type)) return [message];
    const { tenantid } = JSON.parse(envelope) as Pick<CloudEvent, 'tenantid'>;
    return [message, { id, subject: publicEventSubject(namespace, tenantid), payload: envelope }];
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const pace = sleep(PACE_MS);
        const mayBeMore = await this.publishNext();
        this.isFailing = false;
        if (mayBeMore) continue;
        await this.sweep();
        await this.signal.sleep(this.options.pollMs ?? POLL_MS);
        await pace;
      } catch (error) {
        this.isFailing = true;
        this.options.metrics.outboxFailures.add(1);
        this.options.logger.warn({ err: error }, 'outbox relay failed; it will retry');
        await this.signal.sleep(RETRY_MS);
        // The broker may have lost its storage.
        await ensureStreams(this.options).catch(() => undefined);
      }
    }
    await this.publishNext().catch((error: unknown) => this.options.logger.warn({ err: error }, 'outbox flush failed'));
  }

  private async sweep(): Promise<void> {
    if (Date.now() < this.sweepDueAt) return;
    const [row] = await this.options.database.query<{ swept: number }>(sweep);
    this.sweepDueAt = Date.now() + (row?.swept === SWEPT_MAX ? SWEEP_AGAIN_MS : SWEEP_INTERVAL_MS);
  }
}
