import { connectionsEvents } from '../connections/events.js';
import { event, type EventDefinition } from '../core/event.js';
import { filesEvents } from '../files/events.js';
import { jobsEvents } from '../jobs/events.js';
import { TEST_EVENT_TYPE, webhookDisabledDataSchema, webhookEventData } from './event-types.js';

export const webhooksEvents = {
  /** Kiln disabled a webhook because its endpoint is gone or failed for too long. A change by the owner emits no event. */
  webhookDisabled: event({ type: 'webhook.disabled', owner: 'webhooks', data: webhookDisabledDataSchema }),
};

const emitted: EventDefinition[] = [filesEvents, jobsEvents, connectionsEvents, webhooksEvents].flatMap((events) =>
  Object.values(events),
);

/** The events that webhooks deliver: those public types that a service emits. */
export const publicEvents: readonly EventDefinition[] = emitted.filter(
  ({ type }) => type in webhookEventData && type !== TEST_EVENT_TYPE,
);
