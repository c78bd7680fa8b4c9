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
  /** Deliveries after which an event becomes a dead letter. Default 8. */
  deliveriesMax?: number;
  /** Milliseconds before a redelivery, by the number of deliveries so far. The last value repeats. */
  backoffMs?: readonly number[];
}

const DELIVERIES_MAX = 8;
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000] as const;

export class FailedEvents {
  constructor(
    private readonly options: FailedEventsOptions,
    private readonly consumer: string,
    private readonly type: string,
  ) {}

  async handle(message: JsMsg, eventId: string, error: unknown): Promise<void> {
    const { logger, metrics } = this.options;
    const backoff = this.options.backoffMs ?? BACKOFF_MS;
    const deliveries = message.info.deliveryCount;
    logger.warn({ err: error, consumer: this.consumer, eventId, deliveries }, 'event handling failed');
    metrics.eventsConsumed.add(1, { type: this.type, outcome: 'failed' });
    // The event is not at fault if the database or the broker is unavailable. It waits for as long as that takes.
    const isUnavailable = error instanceof CodedError && error.retryable;
    if (!isUnavailable && deliveries >= (this.options.deliveriesMax ?? DELIVERIES_MAX))
      await this.keepAsDeadLetter(message, eventId, error);
    else message.nak(backoff[Math.min(deliveries, backoff.length) - 1] ?? 1_000);
  }

  async keepAsDeadLetter(message: JsMsg, eventId: string, error: unknown): Promise<void> {
    await this.options.deadLetters.add({
      consumer: this.consumer,
      type: this.type,
      eventId,
      reason: error instanceof Error ? error.message : String(error),
      deliveries: message.info.deliveryCount,
      envelope: message.string(),
    });
    message.term();
    this.options.metrics.eventsConsumed.add(1, { type: this.type, outcome: 'dead' });
    this.options.logger.error({ err: error, consumer: this.consumer, eventId }, 'event became a dead letter');
  }
}
