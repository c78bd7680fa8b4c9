// Events that a consumer could not handle, or a relay not send: kept for 30 days, listed and requeued by an operator
// (`kiln dead-letters`).
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { deadLetterStream, deadLetterSubject, eventSubject, outboxRequeueSubject } from '../bus/names.js';

const REQUEUE_TIMEOUT_MS = 5_000;

const HEADER = {
  consumer: 'Kiln-Dead-Consumer',
  reason: 'Kiln-Dead-Reason',
  deliveries: 'Kiln-Dead-Deliveries',
  type: 'Kiln-Type',
  outboxRow: 'Kiln-Dead-Outbox-Row',
};

export interface DeadLetter {
  /** Position in the dead-letter stream; names the letter when requeuing. */
  sequence: number;
  consumer: string;
  type: string;
  reason: string;
  deliveries: number;
  diedAt: Date;
  /** The CloudEvent as it was delivered; empty when a row of an outbox holds it. */
  envelope: string;
  /** The sequence of a row that could not be sent; it stays in the outbox of its service. */
  outboxRow?: string | undefined;
}

export type NewDeadLetter = Omit<DeadLetter, 'sequence' | 'diedAt'> & { eventId: string };

export class DeadLetters {
  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  /** Keeps an event; once per event and consumer, however often it is called within the stream's duplicate window. */
  async add(letter: NewDeadLetter): Promise<void> {
    const about = headers();
    about.set(HEADER.consumer, letter.consumer);
    about.set(HEADER.type, letter.type);
    about.set(HEADER.reason, letter.reason.replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
    about.set(HEADER.deliveries, String(letter.deliveries));
    if (letter.outboxRow !== undefined) about.set(HEADER.outboxRow, letter.outboxRow);
    const subject = deadLetterSubject(this.namespace, letter.consumer);
    const msgID = `${letter.consumer}:${letter.eventId}:${letter.deliveries}`;
    await jetstream(this.connection).publish(subject, letter.envelope, { headers: about, msgID });
  }

  /** The oldest letters after `afterSequence`, at most `limit`. */
  async list(options: { afterSequence?: number; limit: number }): Promise<DeadLetter[]> {
    const manager = await jetstreamManager(this.connection);
    const stream = deadLetterStream(this.namespace);
    const { state } = await manager.streams.info(stream);
    const letters: DeadLetter[] = [];
    let sequence = Math.max(state.first_seq, (options.afterSequence ?? 0) + 1);
    for (; sequence <= state.last_seq && letters.length < options.limit; sequence++) {
      const stored = await manager.streams.getMessage(stream, { seq: sequence }).catch(() => null);
      if (!stored) continue;
      letters.push({
        sequence,
        consumer: stored.header.get(HEADER.consumer),
        type: stored.header.get(HEADER.type),
        reason: stored.header.get(HEADER.reason),
        deliveries: Number(stored.header.get(HEADER.deliveries)),
        diedAt: stored.time,
        envelope: stored.string(),
        outboxRow: stored.header.get(HEADER.outboxRow) || undefined,
      });
    }
    return letters;
  }

  /**
   * Publishes a letter's event again and removes the letter. Consumers that had handled it drop it by their inbox; the one
   * that failed gets it anew. A row of an outbox is sent again by the relay of its service.
   */
  async requeue(letter: DeadLetter): Promise<void> {
    const manager = await jetstreamManager(this.connection);
    if (letter.outboxRow === undefined) await this.publishAgain(letter);
    else await this.sendRowAgain(letter.consumer.replace(/-outbox$/, ''), letter.outboxRow);
    await manager.streams.deleteMessage(deadLetterStream(this.namespace), letter.sequence);
  }

  private async sendRowAgain(service: string, outboxRow: string): Promise<void> {
    const subject = outboxRequeueSubject(this.namespace, service);
    const answer = await this.connection.request(subject, outboxRow, { timeout: REQUEUE_TIMEOUT_MS }).catch(() => null);
    if (answer === null) throw new Error(`no process of the ${service} service answers; start it and requeue again`);
    if (answer.data.length > 0) throw new Error(answer.string());
  }

  private async publishAgain(letter: DeadLetter): Promise<void> {
    const msgID = `requeue:${letter.sequence}`;
    await jetstream(this.connection).publish(eventSubject(this.namespace, letter.type), letter.envelope, { msgID });
  }
}
