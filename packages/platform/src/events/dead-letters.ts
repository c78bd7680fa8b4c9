// Dead letters: events that a consumer could not handle or a relay could not send. They are kept for 30 days. An operator lists and
// requeues them (`kiln dead-letters`).
import { jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
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

/** A requeued event names the one consumer that may handle it again. */
const FOR_CONSUMER = 'Kiln-For-Consumer';

/** Whether the message is an event that was requeued for another consumer than this one. */
export function isForAnother(message: JsMsg, consumer: string): boolean {
  const only = message.headers?.get(FOR_CONSUMER) ?? '';
  return only !== '' && only !== consumer;
}

export interface DeadLetter {
  /** Position in the dead-letter stream. Identifies the letter when it is requeued. */
  sequence: number;
  consumer: string;
  type: string;
  reason: string;
  deliveries: number;
  diedAt: Date;
  /** The CloudEvent as delivered. Empty if the event is in a row of an outbox. */
  envelope: string;
  /** The sequence of an outbox row that could not be sent. The row stays in the outbox of its service. */
  outboxRow?: string | undefined;
}

export type NewDeadLetter = Omit<DeadLetter, 'sequence' | 'diedAt'> & { eventId: string };

export class DeadLetters {
  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
  ) {}

  /** Stores a dead letter. Repeated calls for the same event and consumer within the stream's duplicate window store one. */
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
      const stored = await manager.streams.getMessage(stream, { seq: sequence });
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
   * Publishes the event of a dead letter again, for the consumer that failed, and removes the letter. The other consumers drop it: a
   * letter may be older than what their inboxes remember. For an outbox row, the relay of its service sends it again.
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
    if (answer === null) throw new Error(`no process of the ${service} service is running; start it and requeue again`);
    if (answer.data.length > 0) throw new Error(answer.string());
  }

  private async publishAgain(letter: DeadLetter): Promise<void> {
    const subject = eventSubject(this.namespace, letter.type);
    const about = headers();
    about.set(FOR_CONSUMER, letter.consumer);
    const msgID = `requeue:${letter.sequence}`;
    await jetstream(this.connection).publish(subject, letter.envelope, { headers: about, msgID });
  }
}
