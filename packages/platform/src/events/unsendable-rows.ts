// Quarantines outbox rows that cannot be sent. After a few attempts a row is marked, and a dead letter that names it is published.
// The row keeps the event, because the broker may reject its content. `kiln dead-letters requeue` makes the relay send it again.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { outboxRequeueSubject } from '../bus/names.js';
import type { Logger } from '../observability/logger.js';
import type { Counter } from '../observability/metrics.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/transaction.js';
import type { DeadLetters } from './dead-letters.js';
import { lockRow, quarantine, requeue, type ClaimedEvent } from './relay.statements.js';
import type { UnsendableError } from './stream-publisher.js';

export interface UnsendableRow {
  row: ClaimedEvent;
  error: UnsendableError;
}

export interface UnsendableRowsOptions {
  database: Database;
  connection: NatsConnection;
  namespace: string;
  service: string;
  logger: Logger;
  quarantinedCount: Pick<Counter, 'add'>;
  deadLetters: Pick<DeadLetters, 'add'>;
}

const ATTEMPTS_MAX = 5;

export class UnsendableRows {
  /** Attempts of this process, by row sequence. */
  private readonly attempts = new Map<number, number>();

  constructor(private readonly options: UnsendableRowsOptions) {}

  /** Runs in the transaction that claimed the row. */
  async failed(transaction: Transaction, { row, error }: UnsendableRow): Promise<void> {
    const { sequence, type } = row;
    const attempts = (this.attempts.get(sequence) ?? 0) + 1;
    this.attempts.set(sequence, attempts);
    if (attempts < ATTEMPTS_MAX) return;
    const { service, deadLetters, quarantinedCount, logger } = this.options;
    await deadLetters.add({
      consumer: `${service}-outbox`,
      type,
      eventId: `${sequence}:${Date.now()}`,
      reason: error.message,
      deliveries: attempts,
      envelope: '',
      outboxRow: String(sequence),
    });
    await transaction.query(quarantine, [sequence]);
    this.attempts.delete(sequence);
    quarantinedCount.add(1);
    logger.error({ err: error, outboxRow: sequence }, 'event cannot be sent; its outbox row is quarantined');
  }

  /** Handles requests to requeue a row of this service. Calls `onRequeued` when there is an event to send. */
  listen(onRequeued: () => void): Subscription {
    const { connection, namespace, service } = this.options;
    return connection.subscribe(outboxRequeueSubject(namespace, service), {
      queue: service,
      callback: (error, message) => {
        if (!error) void this.requeue(message, onRequeued);
      },
    });
  }

  private async requeue(message: Msg, onRequeued: () => void): Promise<void> {
    try {
      const sequence = message.string();
      await this.options.database.transaction(async (transaction) => {
        await transaction.query(lockRow, [sequence]);
        await transaction.query(requeue, [sequence]);
      });
      message.respond('');
      onRequeued();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'requeuing a quarantined row failed');
      message.respond('the database is not available');
    }
  }
}
