// Writes outcomes in batches: single ones when idle, hundreds under load. Failed writes are retried. If the lease ends first,
// another worker repeats the attempt, and the log records an unknown outcome for this one.
import { CodedError, encodeId, webhooksEvents } from '@kiln/contracts';
import { appendEvents, Database, newEvent, WakeUpSignal, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryMetrics } from './delivery.metrics.js';
import { OutcomeStore, type Verdict } from './outcome.store.js';
import type { WebhookRef } from '../webhooks/webhook.store.js';
import type { Report } from './delivery-report.service.js';

const BATCH_SIZE = 500;
/**
 * The time for which a batch waits for more outcomes. It ends early at ENOUGH outcomes: one write of many outcomes costs hardly more than a write
 * of one.
 */
const GATHER_MS = 20;
const ENOUGH = 200;
const FAULT_PAUSE_MS = 500;
/** The lease has ended by then, and with it the right to write. */
const ATTEMPTS_MAX = 100;

@Injectable()
export class OutcomeWriter {
  private waiting: Report[] = [];
  private loop: Promise<void> | null = null;
  private stopping = false;
  private postponed: (dueInMs: number) => void = () => {};
  private readonly signal = new WakeUpSignal();

  constructor(
    private readonly database: Database,
    private readonly outcomes: OutcomeStore,
    @Inject(DeliveryMetrics) private readonly metrics: Pick<DeliveryMetrics, 'finished' | 'attempted' | 'disabled'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Calls `listener` with the milliseconds until a postponed delivery is due again. */
  onPostponed(listener: (dueInMs: number) => void): void {
    this.postponed = listener;
  }

  push(report: Report): void {
    this.waiting.push(report);
    this.loop ??= this.run().finally(() => (this.loop = null));
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Writes the collected outcomes while the database accepts them. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.signal.send();
    await this.loop;
  }

  private async run(): Promise<void> {
    for (let faults = 0; this.waiting.length > 0;) {
      if (this.waiting.length < ENOUGH && !this.stopping) await delay(GATHER_MS);
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        await this.writeAroundRefused(batch);
        faults = 0;
      } catch (error) {
        this.logger.warn({ err: error, count: batch.length }, 'Writing outcomes failed');
        if (this.stopping || ++faults >= ATTEMPTS_MAX) return;
        this.waiting.unshift(...batch);
        await this.signal.sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** A row that the database refuses must not keep the others from being written. So the batch is halved until the row is alone. */
  private async writeAroundRefused(batch: readonly Report[]): Promise<void> {
    try {
      await this.write(batch);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const [first] = batch;
      if (batch.length === 1 && first) {
        const { tenant_id: tenantId, delivery_id: deliveryId } = first.outcome;
        this.logger.error(
          { err: error, tenantId, deliveryId },
          'The outcome was rejected; the attempt will be repeated',
        );
        return;
      }
      const middle = batch.length >> 1;
      await this.writeAroundRefused(batch.slice(0, middle));
      await this.writeAroundRefused(batch.slice(middle));
    }
  }

  private async write(batch: readonly Report[]): Promise<void> {
    const { overtaken, failingTooLong } = await this.outcomes.record(batch.map(({ outcome }) => outcome));
    const dueInMs = Math.min(...batch.map(({ outcome }) => outcome.retry_in_ms ?? Infinity));
    if (dueInMs < Infinity) this.postponed(dueInMs);
    const counts = new Map<Verdict, number>();
    const gone: [webhook: WebhookRef, version: number][] = [];
    for (const { outcome, goneVersion } of batch) {
      const { tenant_id, webhook_id, delivery_id, attempt, verdict } = outcome;
      if (overtaken.has(delivery_id)) {
        this.logger.warn({ deliveryId: delivery_id, attempt }, 'A later attempt has superseded this one');
        continue;
      }
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      if (outcome.duration_ms !== undefined) this.metrics.attempted(verdict, outcome.duration_ms);
      if (goneVersion !== null) gone.push([{ tenantId: tenant_id, webhookId: webhook_id }, goneVersion]);
    }
    for (const [verdict, count] of counts) this.metrics.finished(verdict, count);
    for (const [webhook, version] of gone) await this.disable(webhook, version);
    for (const webhook of failingTooLong) await this.disable(webhook, null);
  }

  /** A failure here loses nothing: the next failed delivery finds the webhook in the same state. */
  private async disable(webhook: WebhookRef, goneVersion: number | null): Promise<void> {
    const reason: 'failing' | 'gone' = goneVersion === null ? 'failing' : 'gone';
    try {
      const isOff = await this.database.transaction(async (transaction) => {
        const row = await this.outcomes.disable(transaction, webhook, goneVersion);
        if (!row) return false;
        const webhookId = encodeId('webhook', webhook.webhookId);
        const data = {
          webhook_id: webhookId,
          url: row.url,
          reason,
          failing_since: row.failing_since?.toISOString() ?? null,
        };
        const about = { tenantId: webhook.tenantId, subject: webhookId };
        await appendEvents(transaction, [newEvent({ definition: webhooksEvents.webhookDisabled, ...about, data })]);
        return true;
      });
      if (isOff) this.metrics.disabled(reason);
    } catch (error) {
      this.logger.warn({ err: error, webhookId: webhook.webhookId, reason }, 'Disabling the webhook failed');
    }
  }
}
