// Publishes an event without an outbox. For facts that may be lost in a crash but must not delay a request.
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { v7 as uuidv7 } from 'uuid';
import { envelopeOf } from '../events/envelope.js';
import type { NewEvent } from '../events/new-event.js';
import { eventSubject } from './names.js';

const PUBLISH_TIMEOUT_MS = 5_000;

export class EventPublisher {
  private readonly stream: JetStreamClient;

  constructor(
    connection: NatsConnection,
    private readonly namespace: string,
  ) {
    this.stream = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
  }

  /** Resolves when the broker has stored the event. Rejects on a timeout, or if the data does not match the contract. */
  async publish(event: NewEvent): Promise<void> {
    const id = uuidv7();
    const envelope = envelopeOf(event, id);
    await this.stream.publish(eventSubject(this.namespace, event.definition.type), envelope, { msgID: id });
  }
}
