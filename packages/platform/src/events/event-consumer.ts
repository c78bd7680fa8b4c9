// A durable pull consumer of one event type. It handles events in batches of up to 500. If a batch fails, its events are handled one by one,
// so that one bad event does not block the others.
import { cloudEventSchema, parseInput, type CloudEvent, type EventDefinition } from '@kiln/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import { consumerName, eventStream, eventSubject } from '../bus/names.js';
import { traceOf } from '../bus/trace-headers.js';
import { inLogContext } from '../observability/log-context.js';
import { isTracing, withSpan } from '../observability/tracing.js';
import { isForAnother } from './dead-letters.js';
import { processSpans } from './event-spans.js';
import { FailedEvents, type FailedEventsOptions } from './failed-events.js';
import { logContextOf } from './new-event.js';
import { MessageBuffer } from './message-buffer.js';
import { ensureConsumer, ensureStreams, type StreamOptions } from './streams.js';

/** Receives a batch of events, some perhaps redelivered. Its effects must be safe to repeat: see `inbox.ts`. */
export type EventsHandler = (events: CloudEvent[]) => Promise<void>;

export interface EventConsumerOptions extends FailedEventsOptions, StreamOptions {
  service: string;
  /** Milliseconds without acknowledgement after which the broker redelivers an event. Default 30,000. */
  ackWaitMs?: number;
  /** How long an event may wait for others to share its transaction, while events keep arriving. Default 5. */
  paceMs?: number | undefined;
  /** The most events of a batch. Default 500. */
  batchSize?: number | undefined;
}

interface Received {
  message: JsMsg;
  event: CloudEvent;
}

const inContextOf = <Result>({ event }: Received, work: () => Result): Result =>
  inLogContext(() => logContextOf(event), work);

const BATCH_SIZE = 500;
const PACE_MS = 5;
const ACK_WAIT_MS = 30_000;
const HEARTBEAT_MS = 10_000;
/**
 * How often an idle broker says that it still has the request for events. Without two of these, the request is repeated: its server may be
 * gone while the connection, to another server of the cluster, works.
 */
const BROKER_HEARTBEAT_MS = 2_500;
const REOPEN_PAUSE_MS = 1_000;
/**
 * Events that the broker sends before it waits for acknowledgements. Those that it delivers again later count, so as many unreadable events
 * of a newer release stop the readable ones. A process pulls a batch at a time, so the number protects only the broker's memory.
 */
const PENDING_MAX = 100_000;

export class EventConsumer {
  readonly name: string;
  private readonly failures: FailedEvents;
  private readonly buffer: MessageBuffer;
  private messages: ConsumerMessages | null = null;
  private isClosed = false;
  private stopping = false;
  private running: Promise<void> | null = null;

  constructor(
    private readonly options: EventConsumerOptions,
    private readonly definition: EventDefinition,
    private readonly handler: EventsHandler,
  ) {
    this.buffer = new MessageBuffer({ batchSize: options.batchSize ?? BATCH_SIZE, paceMs: options.paceMs ?? PACE_MS });
    this.name = consumerName(options.service, definition.type);
    this.failures = new FailedEvents(options, this.name, definition.type);
  }

  /** Whether the broker has lost the consumer or its stream, and neither could be made again yet. */
  get standsStill(): boolean {
    return this.isClosed && !this.stopping;
  }

  async start(): Promise<void> {
    await this.open();
    this.running = this.run();
  }

  private async open(): Promise<void> {
    const { connection, namespace } = this.options;
    const stream = eventStream(namespace);
    const manager = await jetstreamManager(connection);
    await ensureConsumer(manager, stream, {
      durable_name: this.name,
      filter_subject: eventSubject(namespace, this.definition.type),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(this.options.ackWaitMs ?? ACK_WAIT_MS),
      max_ack_pending: PENDING_MAX,
    });
    const consumer = await jetstream(connection).consumers.get(stream, this.name);
    const messages = await consumer.consume({
      max_messages: this.options.batchSize ?? BATCH_SIZE,
      idle_heartbeat: BROKER_HEARTBEAT_MS,
      abort_on_missing_resource: true,
      callback: (message) => this.buffer.push(message),
    });
    this.messages = messages;
    this.isClosed = false;
    // It may have been stopped meanwhile. The buffer would return whatever the broker sends, at once and for ever.
    if (this.stopping) messages.stop();
    void messages.closed().then((reason) => this.reopen(reason));
  }

  /** The broker has lost its storage, or the consumer was deleted. Both are made again, for as long as that takes. */
  private async reopen(reason: unknown): Promise<void> {
    this.isClosed = true;
    const { connection, logger } = this.options;
    while (!this.stopping && !connection.isClosed()) {
      logger.warn({ err: reason, consumer: this.name }, 'the consumer is gone; it is made again');
      try {
        await ensureStreams(this.options);
        return await this.open();
      } catch (error) {
        reason = error;
        await delay(REOPEN_PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  /** Stops pulling, finishes the current batch, and returns other pulled messages to the broker, which redelivers them at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.messages?.stop();
    this.buffer.close();
    await this.running;
  }

  private async run(): Promise<void> {
    for await (const batch of this.buffer.batches()) {
      const heartbeat = setInterval(() => batch.forEach((message) => message.working()), HEARTBEAT_MS);
      try {
        await this.handleBatch(batch);
      } catch (error) {
        // Nothing was acknowledged, so the broker redelivers the batch.
        this.options.logger.error({ err: error, consumer: this.name }, 'event batch failed');
      } finally {
        clearInterval(heartbeat);
      }
    }
  }

  private async handleBatch(messages: JsMsg[]): Promise<void> {
    const batch: Received[] = [];
    for (const message of messages) {
      const received = await this.read(message);
      if (received) batch.push(received);
    }
    if (batch.length === 0) return;
    try {
      await this.commit(batch);
    } catch (error) {
      if (batch.length === 1 && batch[0]) await this.fail(batch[0], error);
      else for (const received of batch) await this.handleAlone(received);
    }
  }

  private async handleAlone(received: Received): Promise<void> {
    try {
      await this.commit([received]);
    } catch (error) {
      await this.fail(received, error);
    }
  }

  private fail(received: Received, error: unknown): Promise<void> {
    return inContextOf(received, () => this.failures.handle(received.message, received.event.id, error));
  }

  private commit(batch: Received[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    const work = () => (isTracing() ? this.commitTraced(batch) : this.commitEvents(batch, events));
    const [first] = batch;
    return first && batch.length === 1 ? inContextOf(first, work) : work();
  }

  /** Events as the handlers receive them: each belongs to the span in which it is handled. */
  private async commitTraced(batch: Received[]): Promise<void> {
    const { traces, first, end } = processSpans(
      batch.map(({ event, message }) => ({ ...event, from: traceOf(message.headers) })),
    );
    const events = batch.map(({ event }, index) => ({ ...event, ...traces[index] }));
    try {
      await (first ? withSpan(first, () => this.commitEvents(batch, events)) : this.commitEvents(batch, events));
      end();
    } catch (error) {
      end(error);
      throw error;
    }
  }

  private async commitEvents(batch: Received[], events: CloudEvent[]): Promise<void> {
    await this.handler(events);
    for (const { message } of batch) message.ack();
    this.options.metrics.eventsConsumed.add(batch.length, { type: this.definition.type, outcome: 'handled' });
  }

  /** Returns the parsed event. Null if it is for another consumer, is delivered again later, or became a dead letter. */
  private async read(message: JsMsg): Promise<Received | null> {
    if (isForAnother(message, this.name)) {
      message.ack();
      return null;
    }
    try {
      const envelope = parseInput(cloudEventSchema, message.json());
      return { message, event: { ...envelope, data: parseInput(this.definition.data, envelope.data) } };
    } catch (error) {
      await this.failures.handleUnreadable(message, error);
      return null;
    }
  }
}
