// Rows of the outbox that can't be sent as they are: each is tried a few times and then set aside, with a dead letter that names it. The
// row stays where it is, since the broker may not take what it holds; `kiln dead-letters requeue` has it sent again.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Counter } from 'prom-client';
import { outboxRequeueSubject } from '../bus/names.js';
import type { Logger } from '../observability/logger.js';
import type { Database, Transaction } from '../postgres/database.js';
import type { DeadLetters } from './dead-letters.js';
import { lockRow, setAside, takeBack, type ClaimedEvent } from './relay.statements.js';
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
  setAsideCount: Pick<Counter, 'inc'>;
  deadLetters: Pick<DeadLetters, 'add'>;
}

const ATTEMPTS_MAX = 5;

export class UnsendableRows {
  /** Attempts of this process, by the sequence of the row. */
  private readonly attempts = new Map<number, number>();

  constructor(private readonly options: UnsendableRowsOptions) {}

  /** In the transaction that has claimed the row. */
  async failed(transaction: Transaction, { row, error }: UnsendableRow): Promise<void> {
    const { sequence, type } = row;
    const attempts = (this.attempts.get(sequence) ?? 0) + 1;
    this.attempts.set(sequence, attempts);
    if (attempts < ATTEMPTS_MAX) return;
    const { service, deadLetters, setAsideCount, logger } = this.options;
    await deadLetters.add({
      consumer: `${service}-outbox`,
      type,
      eventId: `${sequence}:${Date.now()}`,
      reason: error.message,
      deliveries: attempts,
      envelope: '',
      outboxRow: String(sequence),
    });
    await transaction.query(setAside, [sequence]);
    this.attempts.delete(sequence);
    setAsideCount.inc();
    logger.error({ err: error, outboxRow: sequence }, 'an event can not be sent; its row is set aside');
  }

  /** Answers operators who requeue a row of this service; `onTakenBack` when there is something to send. */
  listen(onTakenBack: () => void): Subscription {
    const { connection, namespace, service } = this.options;
    return connection.subscribe(outboxRequeueSubject(namespace, service), {
      queue: service,
      callback: (error, message) => {
        if (!error) void this.takeBack(message, onTakenBack);
      },
    });
  }

  private async takeBack(message: Msg, onTakenBack: () => void): Promise<void> {
    try {
      const sequence = message.string();
      await this.options.database.transaction(async (transaction) => {
        await transaction.query(lockRow, [sequence]);
        await transaction.query(takeBack, [sequence]);
      });
      message.respond('');
      onTakenBack();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'a row that was set aside was not taken back');
      message.respond('the database did not answer');
    }
  }
}
