// Publishes an event without an outbox. For facts that may be lost in a crash but must not delay a request.
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { v7 as uuidv7 } from 'uuid';
import { envelopeOf } from '../events/envelope.js';
import type { NewEvent } from '../events/new-event.js';
import { ensureStreams, type StreamOptions } from '../events/streams.js';
import { eventSubject } from './names.js';

const PUBLISH_TIMEOUT_MS = 5_000;

export class EventPublisher {
  private readonly stream: JetStreamClient;
  private isFailing = false;

  constructor(private readonly options: StreamOptions) {
    this.stream = jetstream(options.connection, { timeout: PUBLISH_TIMEOUT_MS });
  }

  /** Whether the latest event could not be published. */
  get standsStill(): boolean {
    return this.isFailing;
  }

  /** Resolves when the broker has stored the event. Rejects on a timeout, or if the data does not match the contract. */
  async publish(event: NewEvent): Promise<void> {
    const id = uuidv7();
    const envelope = envelopeOf(event, id);
    try {
      await this.stream.publish(eventSubject(this.options.namespace, event.definition.type), envelope, { msgID: id });
      this.isFailing = false;
    } catch (error) {
      this.isFailing = true;
      // The broker may have lost its storage.
      await ensureStreams(this.options).catch(() => undefined);
      throw error;
    }
  }
}
