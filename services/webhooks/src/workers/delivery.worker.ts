// Delivers: claims what is due as far as there is room, signs, sends, and hands the outcome to the writer. Nothing here waits for an
// endpoint: each delivery goes its own way once it is claimed.
import { encodeId, TEST_EVENT_TYPE } from '@kiln/contracts';
import { PollingLoop, type Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint, EndpointDirectory } from '../adapters/endpoint-directory.js';
import type { HttpResult, HttpSender } from '../adapters/http-sender.js';
import type { EndpointSlots, Running } from '../domain/endpoint-slots.js';
import { signatureOf } from '../domain/signature.js';
import type { ClaimedDelivery, ClaimStore } from '../store/claim.store.js';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import type { WebhookRef } from '../store/webhook.store.js';
import type { OutcomeWriter } from './outcome-writer.js';
import { notSent, reportOf, takenBack, unsent } from './report.js';

export interface DeliveryWorkerOptions {
  claims: ClaimStore;
  queue: Pick<EndpointQueueStore, 'settle'>;
  endpoints: EndpointDirectory;
  sender: HttpSender;
  slots: EndpointSlots;
  writer: OutcomeWriter;
  logger: Logger;
  pollMs?: number;
}

/** Longest wait when a wake-up was lost. */
const POLL_MS = 5_000;
/** While deliveries are under way, room may come by time alone: those that hang leave the budget of the quick ones. */
const ROOM_PAUSE_MS = 1_000;
/** Others are at the same webhooks; each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** Between two claims that found something, unless half of what is under way, or so many, have ended before. */
const GATHER_MS = 5;
const GATHER_BUSY_MS = 10;
const BUSY_COUNT = 32;
const ENOUGH = 128;
/** What is under way when the worker is told to stop may go on for so long. */
const STOP_GRACE_MS = 3_000;

export class DeliveryWorker {
  private readonly loop: PollingLoop;
  /** Called for each delivery that ends, while a claim waits for that. */
  private onEnded: (() => void) | null = null;
  /** Called when nothing is under way any more. */
  private onIdle: (() => void) | null = null;
  private puttingAway: Promise<void> | null = null;
  /** What ends from now on was ended by us. */
  private takingBack = false;

  constructor(private readonly options: DeliveryWorkerOptions) {
    const { logger, pollMs = POLL_MS } = options;
    this.loop = new PollingLoop({
      name: 'claiming deliveries',
      pollMs,
      pauseMinMs: 0,
      logger,
      round: () => this.claim(),
      nextDueInMs: () => this.nextDueInMs(),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Something may be due, now or in so many milliseconds. */
  wakeUp(inMs?: number): void {
    this.loop.wakeUp(inMs);
  }

  /** Claims no more; gives what is under way a moment, then takes it back, to be sent again at once by others. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.puttingAway;
    const timer = setTimeout(() => {
      this.takingBack = true;
      this.options.sender.abortAll();
    }, STOP_GRACE_MS);
    if (this.options.slots.runningCount > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    clearTimeout(timer);
    await this.options.writer.stop();
  }

  /** Whether there may be more to claim at once. */
  private async claim(): Promise<boolean> {
    const limits = this.options.slots.limits();
    if (limits === null) return false;
    const { deliveries, idle } = await this.options.claims.claim(limits);
    if (deliveries.length > 0) await this.begin(deliveries);
    if (idle.length > 0) await this.putAway(idle);
    if (deliveries.length > 0) await this.gather(deliveries.length);
    return deliveries.length + idle.length > 0;
  }

  private async nextDueInMs(): Promise<number> {
    const { claims, slots } = this.options;
    const limits = slots.limits();
    const dueInMs = (limits && (await claims.nextDueInMs(limits))) ?? Infinity;
    if (dueInMs === 0) return Math.random() * BUSY_PAUSE_MS;
    return slots.runningCount > 0 ? Math.min(ROOM_PAUSE_MS, dueInMs) : dueInMs;
  }

  /** Nobody waits for that, since a claim steps over webhooks that are being put away; unless it finds more meanwhile. */
  private async putAway(idle: readonly WebhookRef[]): Promise<void> {
    if (this.puttingAway) await this.puttingAway;
    else this.puttingAway = this.putAwayLater(idle);
  }

  private async putAwayLater(idle: readonly WebhookRef[]): Promise<void> {
    try {
      await this.options.queue.settle(idle);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'webhooks without deliveries not put away; the next claim finds them');
    } finally {
      this.puttingAway = null;
    }
  }

  /** What ends meanwhile makes room for the next claim: one of many costs hardly more than one of one. */
  private async gather(claimed: number): Promise<void> {
    if (claimed < BUSY_COUNT) return delay(GATHER_MS);
    const enough = Math.min(ENOUGH, Math.ceil(this.options.slots.runningCount / 2));
    await new Promise<void>((resolve) => {
      let ended = 0;
      const timer = setTimeout(resolve, GATHER_BUSY_MS);
      this.onEnded = () => {
        if (++ended < enough) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.onEnded = null;
  }

  private async begin(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const endpoints = await this.options.endpoints.load(deliveries);
    for (const delivery of deliveries) {
      const endpoint = endpoints.get(delivery.webhook_id);
      if (endpoint === undefined) this.refuse(delivery, 'The webhook was deleted.');
      else if (!endpoint.active && delivery.event_type !== TEST_EVENT_TYPE) {
        this.refuse(delivery, 'The webhook is not active.');
      } else if (delivery.payload === null) this.refuse(delivery, 'The event is no longer kept.');
      else if (endpoint.fault !== null) this.options.writer.push(notSent(delivery, Date.now(), endpoint.fault));
      else this.deliver(delivery, delivery.payload, endpoint);
    }
  }

  private refuse(delivery: ClaimedDelivery, why: string): void {
    this.options.writer.push(unsent(delivery, why));
  }

  private deliver(delivery: ClaimedDelivery, body: string, endpoint: Endpoint): void {
    const attemptedAt = Date.now();
    const headers = headersOf(encodeId('event', delivery.event_id), attemptedAt, body, endpoint);
    const { origin, path } = endpoint;
    const running = this.options.slots.begin(endpoint.webhookId);
    this.options.sender.post({ origin, path, headers, body }, (result) =>
      this.end(delivery, attemptedAt, result, running),
    );
  }

  private end(delivery: ClaimedDelivery, attemptedAt: number, result: HttpResult, running: Running): void {
    const { slots, writer } = this.options;
    let isDelivered = false;
    try {
      const report = reportOf(delivery, attemptedAt, result);
      isDelivered = report.outcome.verdict === 'delivered';
      writer.push(this.takingBack && result.error !== null ? takenBack(report) : report);
    } finally {
      slots.end(running, isDelivered ? 'ok' : 'failed');
      this.wakeUp();
      this.onEnded?.();
      if (slots.runningCount === 0) this.onIdle?.();
    }
  }
}

function headersOf(eventId: string, attemptedAt: number, body: string, endpoint: Endpoint): string[] {
  const { key, previous } = endpoint;
  const timestamp = Math.floor(attemptedAt / 1_000);
  const keys = previous !== null && previous.until > attemptedAt ? [key, previous.key] : [key];
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Kiln-Webhooks/1.0',
    'kiln-payload-version',
    '1',
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signatureOf(keys, eventId, timestamp, body),
    ...endpoint.headers,
  ];
}
