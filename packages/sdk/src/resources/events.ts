import type { Transport } from '../core/transport.js';
import { EventSubscription, type EventStreamOptions } from '../events/event-subscription.js';
import type { EventStreamQuery } from '../events/streamed-event.js';

export class Events {
  constructor(protected readonly transport: Transport) {}

  /**
   * The events of the organization as they happen, with the bodies that webhooks receive, and the progress of jobs. The connection is renewed when it is lost, and
   * continues after the last event. An event can arrive twice: compare `id`.
   *
   * To continue later, keep `lastEventId` of the subscription. Throws GoneError with the code EVENTS_EXPIRED if events after it are no
   * longer kept.
   */
  stream(query: EventStreamQuery = {}, options: EventStreamOptions = {}): EventSubscription {
    return new EventSubscription(this.transport, query, options);
  }
}
