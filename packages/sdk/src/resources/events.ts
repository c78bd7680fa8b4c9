import type { Transport } from '../core/transport.js';
import { EventSubscription, type EventStreamOptions } from '../events/event-subscription.js';

export class Events {
  constructor(protected readonly transport: Transport) {}

  /**
   * The events of the organization as they happen, with the bodies that webhooks receive. The connection is renewed when it is lost, and
   * continues after the last event. An event can arrive twice: compare `id`.
   *
   * To continue later, keep `lastEventId` of the subscription. Throws GoneError with the code EVENTS_EXPIRED if events after it are no
   * longer kept.
   */
  stream(options: EventStreamOptions = {}): EventSubscription {
    return new EventSubscription(this.transport, options);
  }
}
