// Events that a consumer could not handle: the broker redelivers them later, and in the end they become dead letters.
import { CodedError } from '@kiln/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { DeadLetters } from './dead-letters.js';

export interface FailedEventsOptions {
  deadLetters: DeadLetters;
  logger: Logger;
  metrics: Metrics;
  /** The milliseconds before each redelivery of an event whose handler failed. After the last one, it becomes a dead letter. */
  pausesMs?: readonly number[];
  /** The same for an event that cannot be read. */
  unreadablePausesMs?: readonly number[];
}

const PAUSES_MS = [1_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000];
/** An hour in all: the event may come from a newer release, which this service gets within that time. */
const UNREADABLE_PAUSES_MS = [1_000, 5_000, 15_000, 60_000, ...Array.from({ length: 12 }, () => 300_000)];
/** Events whose failures are kept. */
const FAILING_KEPT_MAX = 10_000;

export class FailedEvents {
  /**
   * How often the handler of this process has failed on an event. The broker's count of deliveries is no measure: the event may have been
   * returned before because an earlier release could not read it, or because a part of Kiln was unavailable.
   */
  private readonly handlerFailures = new Map<string, number>();

  constructor(
    private readonly options: FailedEventsOptions,
    private readonly consumer: string,
    private readonly type: string,
  ) {}

  async handle(message: JsMsg, eventId: string, error: unknown): Promise<void> {
    // The event is not at fault if the database or the broker is unavailable. It waits for as long as that takes.
    const isUnavailable = error instanceof CodedError && error.retryable;
    const pauses = this.options.pausesMs ?? PAUSES_MS;
    if (isUnavailable) {
      const pause = Math.min(message.info.deliveryCount, pauses.length);
      return this.postpone(message, { eventId, error, pauses, failures: pause });
    }
    const failures = (this.handlerFailures.get(eventId) ?? 0) + 1;
    this.keep(eventId, failures);
    await this.postpone(message, { eventId, error, pauses, failures });
  }

  /** For an event that does not match its contract, as this release knows it. */
  async handleUnreadable(message: JsMsg, error: unknown): Promise<void> {
    const pauses = this.options.unreadablePausesMs ?? UNREADABLE_PAUSES_MS;
    const eventId = `${this.type}:${message.seq}`;
    await this.postpone(message, { eventId, error, pauses, failures: message.info.deliveryCount });
  }

  private keep(eventId: string, failures: number): void {
    this.handlerFailures.set(eventId, failures);
    const [oldest] = this.handlerFailures.keys();
    if (this.handlerFailures.size > FAILING_KEPT_MAX && oldest !== undefined) this.handlerFailures.delete(oldest);
  }

  private async postpone(message: JsMsg, { eventId, error, pauses, failures }: Failure): Promise<void> {
    const { logger, metrics } = this.options;
    const deliveries = message.info.deliveryCount;
    logger.warn({ err: error, consumer: this.consumer, eventId, deliveries }, 'event handling failed');
    metrics.eventsConsumed.add(1, { type: this.type, outcome: 'failed' });
    if (failures > pauses.length) await this.keepAsDeadLetter(message, eventId, error);
    else message.nak(pauses[failures - 1]);
  }

  private async keepAsDeadLetter(message: JsMsg, eventId: string, error: unknown): Promise<void> {
    await this.options.deadLetters.add({
      consumer: this.consumer,
      type: this.type,
      eventId,
      reason: error instanceof Error ? error.message : String(error),
      deliveries: message.info.deliveryCount,
      envelope: message.string(),
    });
    message.term();
    this.handlerFailures.delete(eventId);
    this.options.metrics.eventsConsumed.add(1, { type: this.type, outcome: 'dead' });
    this.options.logger.error({ err: error, consumer: this.consumer, eventId }, 'event became a dead letter');
  }
}

interface Failure {
  eventId: string;
  error: unknown;
  pauses: readonly number[];
  /** With this one. After more than there are pauses, the event becomes a dead letter. */
  failures: number;
}
