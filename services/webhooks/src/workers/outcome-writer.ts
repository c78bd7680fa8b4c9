// Writes outcomes as they come, as many together as have gathered while the last ones were being written: alone when it is quiet,
// hundreds at a time under load. What could not be written while the database was away is tried again; should the lease end before that, another worker makes
// the attempt anew and the log says that this one's outcome is unknown.
import { CodedError, encodeId, webhooksEvents } from '@kiln/contracts';
import { appendEvents, newEvent, WakeUpSignal, type Database, type Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeStore, Verdict } from '../store/outcome.store.js';
import type { WebhookRef } from '../store/webhook.store.js';
import type { Report } from './report.js';

export interface OutcomeWriterOptions {
  database: Database;
  outcomes: OutcomeStore;
  logger: Logger;
  onSettled: (verdict: Verdict, count: number) => void;
  onDisabled: (reason: 'gone' | 'failing') => void;
  /** Something is due again in so many milliseconds. */
  onPostponed: (dueInMs: number) => void;
}

const BATCH_SIZE = 500;
/** Between two writes while there is more to write, unless so many have come: one of many costs hardly more than one of one. */
const GATHER_MS = 10;
const ENOUGH = 200;
const FAULT_PAUSE_MS = 500;
/** The lease has ended by then, and with it the right to write. */
const ATTEMPTS_MAX = 100;

export class OutcomeWriter {
  private waiting: Report[] = [];
  private loop: Promise<void> | null = null;
  private stopping = false;
  private readonly signal = new WakeUpSignal();

  constructor(private readonly options: OutcomeWriterOptions) {}

  push(report: Report): void {
    this.waiting.push(report);
    this.loop ??= this.run().finally(() => (this.loop = null));
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Writes what has come so far, as long as the database takes it. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.signal.send();
    await this.loop;
  }

  private async run(): Promise<void> {
    // Whatever else ends in this turn of the event loop comes along.
    await new Promise(setImmediate);
    for (let faults = 0, isFirst = true; this.waiting.length > 0; isFirst = false) {
      if (!isFirst && this.waiting.length < ENOUGH) await delay(GATHER_MS);
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        await this.writeAroundRefused(batch);
        faults = 0;
      } catch (error) {
        this.options.logger.warn({ err: error, count: batch.length }, 'outcomes not written');
        if (this.stopping || ++faults >= ATTEMPTS_MAX) return;
        this.waiting.unshift(...batch);
        await this.signal.sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** A row that the database refuses keeps none of the others from being written: halves are written until it is alone. */
  private async writeAroundRefused(batch: readonly Report[]): Promise<void> {
    try {
      await this.write(batch);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const [first] = batch;
      if (batch.length === 1 && first) {
        const { tenant_id: tenantId, delivery_id: deliveryId } = first.outcome;
        this.options.logger.error({ err: error, tenantId, deliveryId }, 'outcome refused; the attempt is made again');
        return;
      }
      const middle = batch.length >> 1;
      await this.writeAroundRefused(batch.slice(0, middle));
      await this.writeAroundRefused(batch.slice(middle));
    }
  }

  private async write(batch: readonly Report[]): Promise<void> {
    const { outcomes, logger, onSettled, onPostponed } = this.options;
    const { overtaken, failingTooLong } = await outcomes.settle(batch.map(({ outcome }) => outcome));
    const dueInMs = Math.min(...batch.map(({ outcome }) => outcome.retry_in_ms ?? Infinity));
    if (dueInMs < Infinity) onPostponed(dueInMs);
    const counts = new Map<Verdict, number>();
    const gone: WebhookRef[] = [];
    for (const { outcome, gone: isGone } of batch) {
      const { tenant_id, webhook_id, delivery_id, attempt, verdict } = outcome;
      if (overtaken.has(delivery_id)) {
        logger.warn({ deliveryId: delivery_id, attempt }, 'a later attempt has overtaken this');
        continue;
      }
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      if (isGone) gone.push({ tenantId: tenant_id, webhookId: webhook_id });
    }
    for (const [verdict, count] of counts) onSettled(verdict, count);
    for (const webhook of gone) await this.disable(webhook, 'gone');
    for (const webhook of failingTooLong) await this.disable(webhook, 'failing');
  }

  /** Failing here loses nothing: the next failed delivery finds the webhook in the same state. */
  private async disable(webhook: WebhookRef, reason: 'gone' | 'failing'): Promise<void> {
    const { database, outcomes, logger, onDisabled } = this.options;
    try {
      const isOff = await database.transaction(async (transaction) => {
        const row = await outcomes.disable(transaction, webhook, reason);
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
      if (isOff) onDisabled(reason);
    } catch (error) {
      logger.warn({ err: error, webhookId: webhook.webhookId, reason }, 'webhook not switched off');
    }
  }
}
