// Writes outcomes as they come, as many together as have gathered while the last ones were being written: alone when it is quiet,
// hundreds at a time under load. What could not be written is tried again; should the lease end before that, another worker makes
// the attempt anew and the log says that this one's outcome is unknown.
import { encodeId, webhooksEvents } from '@kiln/contracts';
import { appendEvents, Doorbell, newEvent, type Database, type Logger } from '@kiln/platform';
import type { Outcome, OutcomeStore } from '../store/outcome.store.js';
import type { WebhookRef } from '../store/webhook.store.js';

export interface OutcomeWriterOptions {
  database: Database;
  outcomes: OutcomeStore;
  logger: Logger;
  onSettled: (outcome: Outcome) => void;
  onDisabled: (reason: 'gone' | 'failing') => void;
}

/** An outcome, and whether the endpoint wants nothing more. */
export interface Report {
  outcome: Outcome;
  gone: boolean;
}

const BATCH_SIZE = 500;
const FAULT_PAUSE_MS = 500;
/** The lease has ended by then, and with it the right to write. */
const ATTEMPTS_MAX = 100;

export class OutcomeWriter {
  private waiting: Report[] = [];
  private loop: Promise<void> | null = null;
  private stopping = false;
  private readonly doorbell = new Doorbell();

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
    this.doorbell.ring();
    await this.loop;
  }

  private async run(): Promise<void> {
    // Whatever else ends in this turn of the event loop comes along.
    await new Promise(setImmediate);
    for (let faults = 0; this.waiting.length > 0;) {
      const batch = this.waiting.splice(0, BATCH_SIZE);
      try {
        await this.write(batch);
        faults = 0;
      } catch (error) {
        this.options.logger.warn({ err: error, count: batch.length }, 'outcomes not written');
        if (this.stopping || ++faults >= ATTEMPTS_MAX) return;
        this.waiting.unshift(...batch);
        await this.doorbell.sleep(FAULT_PAUSE_MS);
      }
    }
  }

  private async write(batch: readonly Report[]): Promise<void> {
    const { outcomes, logger, onSettled } = this.options;
    const { held, failingTooLong } = await outcomes.settle(batch.map(({ outcome }) => outcome));
    const gone: WebhookRef[] = [];
    for (const { outcome, gone: isGone } of batch) {
      if (!held.has(outcome.delivery_id)) {
        logger.warn(
          { deliveryId: outcome.delivery_id, attempt: outcome.attempt },
          'a later attempt has overtaken this',
        );
        continue;
      }
      onSettled(outcome);
      if (isGone) gone.push({ tenantId: outcome.tenant_id, webhookId: outcome.webhook_id });
    }
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
