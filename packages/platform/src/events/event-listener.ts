// Subscribes to events without storing them (NATS core, no JetStream consumer). A listener misses events that are published while it is not
// connected, so treat them as hints. A consumer that must receive every event uses @OnEvent.
import type { CloudEvent, EventDefinition } from '@kiln/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventSubject } from '../bus/names.js';

export class EventListener {
  constructor(
    private readonly connection: Pick<NatsConnection, 'subscribe' | 'flush'>,
    private readonly namespace: string,
  ) {}

  /** Resolves when the broker sends the events to this listener. Returns a function that stops it. */
  async listen(definitions: readonly EventDefinition[], onEvent: (event: CloudEvent) => void): Promise<() => void> {
    const subscriptions = definitions.map(({ type }) =>
      this.connection.subscribe(eventSubject(this.namespace, type), {
        callback: (error, message) => {
          const event = error ? null : readEvent(message.string());
          if (event !== null) onEvent(event);
        },
      }),
    );
    await this.connection.flush();
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }
}

/** Null for what no relay has published. */
function readEvent(text: string): CloudEvent | null {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null && 'tenantid' in event ? (event as CloudEvent) : null;
  } catch {
    return null;
  }
}
