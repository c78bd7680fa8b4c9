// Claims due deliveries as far as there is capacity, signs and sends them, and passes the outcome to the writer. The loop does
// not wait for an
// endpoint: each claimed delivery proceeds independently.
import { encodeId, TEST_EVENT_TYPE } from '@kiln/contracts';
import { isTracing, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { EndpointDirectory, type Endpoint, type UnusableEndpoint } from './endpoint-directory.js';
import { HttpSender, type HttpResult } from './http-sender.js';
import { EndpointSlots, type Running } from './domain/endpoint-slots.js';
import { endDeliverySpan, startDeliverySpan } from './delivery-span.js';
import { LeftWaiting } from './domain/left-waiting.js';
import { signatureOf } from './domain/signature.js';
import { ClaimStore, type ClaimedDelivery } from './claim.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import type { WebhookRef } from '../webhooks/webhook.store.js';
import { OutcomeWriter } from './outcome-writer.js';
import { notSent, reportOf, takenBack, unsent, type Report } from './report.js';

/** Longest wait when a wake-up was lost. */
const POLL_MS = 5_000;
/** While deliveries are under way, room may come by time alone: those that hang leave the budget of the quick ones. */
const ROOM_PAUSE_MS = 1_000;
/** Webhooks keep their places for so long after the last delivery was found: most soon have the next. */
const TIDY_MS = 1_000;
/** Unless so many have nothing due: then they take the places of others. */
const IDLE_MAX = 32;
/** Others are at the same webhooks; each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** Between two claims that found something, unless many were found and half of what is under way, or so many, have ended before. */
const GATHER_MS = 5;
const BUSY_COUNT = 32;
const ENOUGH = 128;
/** How long running deliveries may continue after the worker began to stop. */
const STOP_GRACE_MS = 3_000;

/** Token of another longest wait. */
export const DELIVERY_POLL_MS = Symbol('delivery poll');

@Injectable()
export class DeliveryWorker {
  private readonly loop: PollingLoop;
  /** Called for each delivery that ends, while a claim waits for that. */
  private onEnded: (() => void) | null = null;
  /** Called when nothing is under way any more. */
  private onIdle: (() => void) | null = null;
  private readonly leftWaiting = new LeftWaiting();
  private puttingAway: Promise<void> | null = null;
  /** When a claim last found a delivery; milliseconds, only differences count. */
  private foundAt = -Infinity;
  /** Milliseconds until the next claim, as the last one left it. */
  private pauseMs = Infinity;
  /** What ends from now on was ended by us. */
  private takingBack = false;

  constructor(
    private readonly claims: ClaimStore,
    @Inject(EndpointQueueStore) private readonly queue: Pick<EndpointQueueStore, 'rescheduleIdle'>,
    private readonly endpoints: EndpointDirectory,
    private readonly sender: HttpSender,
    private readonly slots: EndpointSlots,
    private readonly writer: OutcomeWriter,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(DELIVERY_POLL_MS) pollMs = POLL_MS,
  ) {
    writer.onPostponed((dueInMs) => this.wakeUp(dueInMs));
    this.loop = new PollingLoop({
      name: 'claiming deliveries',
      pollMs,
      pauseMinMs: 0,
      logger,
      round: () => this.claim(),
      nextDueInMs: () => Promise.resolve(this.pauseMs),
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
      this.sender.abortAll();
    }, STOP_GRACE_MS);
    if (this.slots.runningCount > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    clearTimeout(timer);
    await this.writer.stop();
  }

  /** Whether there may be more to claim at once. Otherwise the next claim is for what is queued or ends from now on. */
  private async claim(): Promise<boolean> {
    this.pauseMs = ROOM_PAUSE_MS;
    const limits = this.slots.limits();
    this.leftWaiting.claiming(limits);
    if (limits === null) return false;
    const { deliveries, idle, hasMore, nextInMs } = await this.claims.claim(limits);
    this.leftWaiting.claimed(limits, deliveries);
    if (deliveries.length > 0) {
      this.foundAt = performance.now();
      await this.begin(deliveries);
    }
    const isQuiet = performance.now() - this.foundAt >= TIDY_MS;
    if (idle.length > 0 && (isQuiet || idle.length >= IDLE_MAX)) await this.putAway(idle);
    const isTidy = isQuiet && this.slots.runningCount === 0;
    this.pauseMs = pauseAfter(nextInMs, isTidy);
    if (deliveries.length > 0) await this.gather(deliveries.length);
    return hasMore;
  }

  /** Nobody waits for that, since a claim steps over webhooks that are being put away; unless it finds more meanwhile. */
  private async putAway(idle: readonly WebhookRef[]): Promise<void> {
    if (this.puttingAway) await this.puttingAway;
    else this.puttingAway = this.putAwayLater(idle);
  }

  private async putAwayLater(idle: readonly WebhookRef[]): Promise<void> {
    try {
      await this.queue.rescheduleIdle(idle);
      // The next claim reads when they are due.
      this.wakeUp();
    } catch (error) {
      this.logger.warn({ err: error }, 'Removing idle webhooks from the queue failed; a later claim retries');
      this.wakeUp(TIDY_MS);
    } finally {
      this.puttingAway = null;
    }
  }

  /** What ends meanwhile makes room for the next claim: one of many costs hardly more than one of one. */
  private async gather(claimed: number): Promise<void> {
    if (claimed < BUSY_COUNT) return delay(GATHER_MS);
    const enough = Math.min(ENOUGH, Math.ceil(this.slots.runningCount / 2));
    await new Promise<void>((resolve) => {
      let ended = 0;
      const timer = setTimeout(resolve, GATHER_MS);
      this.onEnded = () => {
        if (++ended < enough) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.onEnded = null;
  }

  private async begin(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const endpoints = await this.endpoints.load(deliveries);
    let isAnyUnsent = false;
    for (const delivery of deliveries) {
      const endpoint = endpoints.get(delivery.webhook_id);
      const report = unsendable(delivery, endpoint);
      if (report !== null) this.writer.push(report);
      else this.deliver(delivery, endpoint as Endpoint);
      isAnyUnsent ||= report !== null;
    }
    // They have no running delivery whose end would free capacity.
    if (isAnyUnsent) this.wakeUp();
  }

  private deliver(delivery: ClaimedDelivery, endpoint: Endpoint): void {
    const body = delivery.payload ?? '';
    const attemptedAt = Date.now();
    const headers = headersOf(encodeId('event', delivery.event_id), attemptedAt, body, endpoint);
    const { origin, path } = endpoint;
    const running = this.slots.begin(endpoint.webhookId, delivery.failing);
    const span = isTracing() ? startDeliverySpan(delivery, origin) : undefined;
    this.sender.post({ origin, path, headers, body }, (result) => {
      if (span) endDeliverySpan(span, result);
      this.end(delivery, attemptedAt, result, running);
    });
  }

  private end(delivery: ClaimedDelivery, attemptedAt: number, result: HttpResult, running: Running): void {
    let isDelivered = false;
    try {
      const report = reportOf(delivery, attemptedAt, result);
      isDelivered = report.outcome.verdict === 'delivered';
      this.writer.push(this.takingBack && result.error !== null ? takenBack(report) : report);
    } finally {
      this.slots.end(running, isDelivered ? 'ok' : 'failed');
      if (this.leftWaiting.mayBeOf(delivery.webhook_id)) this.wakeUp();
      this.onEnded?.();
      if (this.slots.runningCount === 0) this.onIdle?.();
    }
  }
}

/** Why it can't be sent; null when it can. */
function unsendable(delivery: ClaimedDelivery, endpoint: Endpoint | UnusableEndpoint | undefined): Report | null {
  if (endpoint === undefined) return unsent(delivery, 'The webhook was deleted.');
  if (!endpoint.active && delivery.event_type !== TEST_EVENT_TYPE)
    return unsent(delivery, 'The webhook is not active.');
  if (delivery.payload === null) return unsent(delivery, 'The event is no longer kept.');
  return endpoint.fault === null ? null : notSent(delivery, Date.now(), endpoint.fault);
}

/** A webhook that is due and was not claimed is locked by another worker. */
function pauseAfter(nextInMs: number | null, isTidy: boolean): number {
  if (nextInMs === 0) return Math.random() * BUSY_PAUSE_MS;
  return Math.min(nextInMs ?? Infinity, isTidy ? Infinity : TIDY_MS);
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
