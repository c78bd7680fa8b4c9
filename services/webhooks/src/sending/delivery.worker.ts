// Claims due deliveries while there is capacity, sends them, and passes the outcomes to the writer. The loop does not wait for
// endpoints: each claimed delivery proceeds independently.
import { isTracing, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { EndpointDirectory, type Endpoint, type UnusableEndpoint } from './endpoint-directory.service.js';
import { HttpSender, type HttpResult } from './http-sender.adapter.js';
import { EndpointSlots, type Running } from './domain/endpoint-slots.js';
import { signedRequest, unsendable } from './delivery-request.service.js';
import { endDeliverySpan, startDeliverySpan } from './delivery-span.metrics.js';
import { LeftWaiting } from './domain/left-waiting.js';
import { ClaimStore, type ClaimedDelivery } from './claim.store.js';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import type { WebhookRef } from '../webhooks/webhook.store.js';
import { OutcomeWriter } from './outcome-writer.service.js';
import { reportOf, takenBack, unsent, type Report } from './delivery-report.service.js';

/** The safety poll. */
const POLL_MS = 5_000;
/** The pause while there is no capacity. A delivery that hangs leaves the budget of quick ones after some time, without an event. */
const ROOM_PAUSE_MS = 1_000;
/** Webhooks without due deliveries stay in the queue for this time, because most soon have the next one. */
const TIDY_MS = 1_000;
/** At this many idle webhooks they are removed at once, because they would delay the other webhooks. */
const IDLE_MAX = 32;
/** Several workers claim from the same webhooks. Each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/**
 * The pause between two claims, so that a claim finds several deliveries. After a claim of at least BUSY_COUNT deliveries, it ends
 * early when half of the running deliveries, or ENOUGH of them, have ended.
 */
const GATHER_MS = 5;
const BUSY_COUNT = 32;
const ENOUGH = 128;
/** When this worker claims deliveries again whose webhooks it could not read. */
const UNREAD_PAUSE_MS = 1_000;
/** How long running deliveries may continue after the worker began to stop. */
const STOP_GRACE_MS = 3_000;

/** Injection token: another safety poll. */
export const DELIVERY_POLL_MS = Symbol('delivery poll');

@Injectable()
export class DeliveryWorker {
  private readonly loop: PollingLoop;
  /** Called for each delivery that ends, during the pause between claims. */
  private onEnded: (() => void) | null = null;
  /** Called when no delivery is running any more. */
  private onIdle: (() => void) | null = null;
  private readonly leftWaiting = new LeftWaiting();
  private rescheduling: Promise<void> | null = null;
  /** The time when a claim last found a delivery, in milliseconds of performance.now(). */
  private foundAt = -Infinity;
  /** Milliseconds until the next claim. */
  private pauseMs = Infinity;
  /** True while the worker aborts its deliveries. Aborted deliveries are released instead of counted as failed. */
  private takingBack = false;
  private onReleased = () => {};

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

  /** Something may be due, now or in `inMs` milliseconds. */
  wakeUp(inMs?: number): void {
    this.loop.wakeUp(inMs);
  }

  /** Calls `listener` when this worker has released deliveries for others. */
  whenReleased(listener: () => void): void {
    this.onReleased = listener;
  }

  /** Stops claiming and waits for running deliveries. After the grace period it releases them, so that other workers send them. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.rescheduling;
    const timer = setTimeout(() => {
      this.takingBack = true;
      this.sender.abortAll();
    }, STOP_GRACE_MS);
    if (this.slots.runningCount > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    clearTimeout(timer);
    await this.writer.stop();
    if (this.takingBack) this.onReleased();
  }

  /** Returns whether more deliveries may be due now. */
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
    if (idle.length > 0 && (isQuiet || idle.length >= IDLE_MAX)) await this.rescheduleIdle(idle);
    const isTidy = isQuiet && this.slots.runningCount === 0;
    this.pauseMs = pauseAfter(nextInMs, isTidy);
    if (deliveries.length > 0) await this.gather(deliveries.length);
    return hasMore;
  }

  /** Reschedules idle webhooks in the background: claims skip rows that are locked. Waits only if an earlier call is still running. */
  private async rescheduleIdle(idle: readonly WebhookRef[]): Promise<void> {
    if (this.rescheduling) await this.rescheduling;
    else this.rescheduling = this.reschedule(idle);
  }

  private async reschedule(idle: readonly WebhookRef[]): Promise<void> {
    try {
      await this.queue.rescheduleIdle(idle);
      // The next claim reads when the webhooks are due.
      this.wakeUp();
    } catch (error) {
      this.logger.warn({ err: error }, 'Removing idle webhooks from the queue failed; a later claim retries');
      this.wakeUp(TIDY_MS);
    } finally {
      this.rescheduling = null;
    }
  }

  /** Waits for capacity: claiming many deliveries costs hardly more than claiming one. */
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
    const endpoints = await this.endpointsOf(deliveries);
    let isAnyUnsent = false;
    for (const delivery of deliveries) {
      const endpoint = endpoints.get(delivery.webhook_id);
      const report = unsendable(delivery, endpoint);
      if (report !== null) this.writer.push(report);
      else this.deliver(delivery, endpoint as Endpoint);
      isAnyUnsent ||= report !== null;
    }
    // A delivery that is not sent does not end, so it would not wake the loop up.
    if (isAnyUnsent) this.wakeUp();
  }

  /** If the webhooks cannot be read, the deliveries return to the queue: nothing was sent, and their leases would hold them up. */
  private async endpointsOf(
    deliveries: readonly ClaimedDelivery[],
  ): Promise<ReadonlyMap<string, Endpoint | UnusableEndpoint>> {
    try {
      return await this.endpoints.load(deliveries);
    } catch (error) {
      const reason = 'The webhook could not be read.';
      for (const delivery of deliveries) this.writer.push(takenBack(unsent(delivery, reason), UNREAD_PAUSE_MS));
      throw error;
    }
  }

  private deliver(delivery: ClaimedDelivery, endpoint: Endpoint): void {
    const attemptedAt = Date.now();
    const running = this.slots.begin(endpoint, delivery.failing);
    const span = isTracing() ? startDeliverySpan(delivery, endpoint.origin) : undefined;
    this.sender.post(signedRequest(delivery, endpoint, attemptedAt), (result) => {
      if (span) endDeliverySpan(span, result);
      this.end(reportOf(delivery, attemptedAt, result, endpoint.version), delivery, result, running);
    });
  }

  private end(report: Report, delivery: ClaimedDelivery, result: HttpResult, running: Running): void {
    let isDelivered = false;
    try {
      isDelivered = report.outcome.verdict === 'delivered';
      this.writer.push(this.takingBack && result.error !== null ? takenBack(report) : report);
    } finally {
      this.slots.end(running, isDelivered ? 'ok' : 'failed');
      if (this.leftWaiting.mayBeOf(delivery)) this.wakeUp();
      this.onEnded?.();
      if (this.slots.runningCount === 0) this.onIdle?.();
    }
  }
}

/** If another webhook is due now, another worker has locked it. */
function pauseAfter(nextInMs: number | null, isTidy: boolean): number {
  if (nextInMs === 0) return Math.random() * BUSY_PAUSE_MS;
  return Math.min(nextInMs ?? Infinity, isTidy ? Infinity : TIDY_MS);
}
