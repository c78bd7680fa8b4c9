import { connectionsEvents } from '../connections/events.js';
import { event, type EventDefinition } from '../core/event.js';
import { filesEvents } from '../files/events.js';
import { jobsEvents } from '../jobs/events.js';
import { TEST_EVENT_TYPE, webhookDisabledDataSchema, webhookEventData } from './event-types.js';

export const webhooksEvents = {
  /** A webhook was switched off because its endpoint is gone or has failed for too long. Its owner's own doing is no event. */
  webhookDisabled: event({ type: 'webhook.disabled', owner: 'webhooks', data: webhookDisabledDataSchema }),
};

const emitted: EventDefinition[] = [filesEvents, jobsEvents, connectionsEvents, webhooksEvents].flatMap((events) =>
  Object.values(events),
);

/** The facts that webhooks tell the world: whichever of the public types some service emits. */
export const publicEvents: readonly EventDefinition[] = emitted.filter(
  ({ type }) => type in webhookEventData && type !== TEST_EVENT_TYPE,
);
