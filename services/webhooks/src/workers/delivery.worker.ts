// Delivers: claims what is due as far as there is room, signs, sends, and hands the outcome to the writer. Nothing here waits for an
// endpoint: each delivery goes its own way once it is claimed.
import { encodeId, TEST_EVENT_TYPE } from '@kiln/contracts';
import { Doorbell, type Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint, EndpointDirectory } from '../adapters/endpoint-directory.js';
import type { HttpResult, HttpSender } from '../adapters/http-sender.js';
import type { EndpointSlots } from '../domain/endpoint-slots.js';
import { signatureOf } from '../domain/signature.js';
import { judge } from '../domain/verdict.js';
import type { ClaimedDelivery, ClaimStore } from '../store/claim.store.js';
import type { Outcome } from '../store/outcome.store.js';
import type { OutcomeWriter, Report } from './outcome-writer.js';

export interface DeliveryWorkerOptions {
  claims: ClaimStore;
  endpoints: EndpointDirectory;
  sender: HttpSender;
  slots: EndpointSlots;
  writer: OutcomeWriter;
  logger: Logger;
}

/** Longest wait when a wake-up was lost. */
const POLL_MS = 1_000;
const FAULT_PAUSE_MS = 1_000;
/** Others are at the same webhooks; each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** Between two claims that found something. */
const GATHER_MS = 5;
/** What is under way when the worker is told to stop may go on for so long. */
const STOP_GRACE_MS = 3_000;

const FIXED_HEADERS = [
  'content-type',
  'application/json',
  'user-agent',
  'Kiln-Webhooks/1.0',
  'kiln-payload-version',
  '1',
] as const;

export class DeliveryWorker {
  private readonly doorbell = new Doorbell();
  private readonly underWay = new Set<Promise<void>>();
  private loop: Promise<void> = Promise.resolve();
  private stopping = false;
  /** What ends from now on was ended by us. */
  private takingBack = false;

  constructor(private readonly options: DeliveryWorkerOptions) {}

  start(): void {
    this.loop = this.claimLoop();
  }

  /** There may be something due. */
  wakeUp(): void {
    this.doorbell.ring();
  }

  /** Claims no more; gives what is under way a moment, then takes it back, to be sent again at once by others. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    await this.loop;
    const timer = setTimeout(() => {
      this.takingBack = true;
      this.options.sender.abortAll();
    }, STOP_GRACE_MS);
    await Promise.allSettled(this.underWay);
    clearTimeout(timer);
    await this.options.writer.stop();
  }

  private async claimLoop(): Promise<void> {
    while (!this.stopping) {
      try {
        const pauseMs = await this.claimOnce();
        if (pauseMs > 0) await this.doorbell.sleep(pauseMs);
      } catch (error) {
        this.options.logger.warn({ err: error }, 'claiming deliveries failed; it will be tried again');
        await this.doorbell.sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** Milliseconds after which to look again. */
  private async claimOnce(): Promise<number> {
    const limits = this.options.slots.limits();
    if (limits === null) return POLL_MS;
    const claim = await this.options.claims.claim(limits);
    if (claim === 'none') return POLL_MS;
    if (claim === 'busy') return Math.random() * BUSY_PAUSE_MS;
    if (claim === 'retry') return 0;
    await this.begin(claim.deliveries);
    // What ends meanwhile makes room for the next claim: one of many costs hardly more than one of one.
    await delay(GATHER_MS);
    return 0;
  }

  private async begin(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const refs = deliveries.map((delivery) => ({ tenantId: delivery.tenant_id, webhookId: delivery.webhook_id }));
    const endpoints = await this.options.endpoints.load(refs);
    for (const delivery of deliveries) {
      const endpoint = endpoints.get(delivery.webhook_id);
      const refusal = refusalOf(delivery, endpoint);
      if (refusal !== null || endpoint === undefined) this.options.writer.push(unsent(delivery, refusal ?? ''));
      else this.track(this.deliver(delivery, endpoint));
    }
  }

  private track(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.options.logger.error({ err: error }, 'delivery ended without an outcome'))
      .finally(() => {
        this.underWay.delete(done);
        this.wakeUp();
      });
    this.underWay.add(done);
  }

  private async deliver(delivery: ClaimedDelivery, endpoint: Endpoint): Promise<void> {
    const release = this.options.slots.begin(endpoint.webhookId);
    const attemptedAt = Date.now();
    let report: Report | null = null;
    try {
      const result = await this.post(delivery, endpoint, attemptedAt);
      report = reportOf(delivery, attemptedAt, result, this.takingBack);
      this.options.writer.push(report);
    } finally {
      release(report?.outcome.verdict === 'delivered' ? 'ok' : 'failed');
    }
  }

  private post(delivery: ClaimedDelivery, endpoint: Endpoint, attemptedAt: number): Promise<HttpResult> {
    const { origin, path, headers, key, previous } = endpoint;
    const body = delivery.payload ?? '';
    const eventId = encodeId('event', delivery.event_id);
    const timestamp = Math.floor(attemptedAt / 1_000);
    const keys = previous !== null && previous.until > attemptedAt ? [key, previous.key] : [key];
    const signed = [
      'webhook-id',
      eventId,
      'webhook-timestamp',
      String(timestamp),
      'webhook-signature',
      signatureOf(keys, eventId, timestamp, body),
    ];
    const request = { origin, path, headers: [...FIXED_HEADERS, ...signed, ...headers], body };
    return this.options.sender.post(request);
  }
}

/** Why a delivery is not sent at all. */
function refusalOf(delivery: ClaimedDelivery, endpoint: Endpoint | undefined): string | null {
  if (endpoint === undefined) return 'The webhook was deleted.';
  if (!endpoint.active && delivery.event_type !== TEST_EVENT_TYPE) return 'The webhook is not active.';
  if (delivery.payload === null) return 'The event is no longer kept.';
  return null;
}

function outcomeOf(
  delivery: ClaimedDelivery,
  about: Omit<Outcome, 'tenant_id' | 'webhook_id' | 'delivery_id' | 'attempt'>,
): Outcome {
  const { tenant_id, webhook_id, id: delivery_id, attempt } = delivery;
  return { tenant_id, webhook_id, delivery_id, attempt, ...about };
}

function unsent(delivery: ClaimedDelivery, error: string): Report {
  const outcome = outcomeOf(delivery, {
    verdict: 'failed',
    sent: false,
    attempted_at: new Date().toISOString(),
    status_code: null,
    duration_ms: null,
    error,
    response_body: null,
    retry_in_ms: null,
  });
  return { outcome, gone: false };
}

function reportOf(delivery: ClaimedDelivery, attemptedAt: number, result: HttpResult, takingBack: boolean): Report {
  const { statusCode, responseBody, durationMs } = result;
  const judged = judge(result, delivery.failures, Date.now());
  const takenBack = takingBack && result.error !== null;
  const outcome = outcomeOf(delivery, {
    verdict: takenBack ? 'again' : judged.verdict,
    sent: true,
    attempted_at: new Date(attemptedAt).toISOString(),
    status_code: statusCode,
    duration_ms: durationMs,
    error: judged.error,
    response_body: responseBody,
    retry_in_ms: takenBack ? 0 : judged.verdict === 'retry' ? judged.retryInMs : null,
  });
  return { outcome, gone: judged.verdict === 'failed' && judged.gone };
}
