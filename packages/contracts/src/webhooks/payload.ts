// The payload of an event, as webhooks and event streams send it: the public fields only. It is formed here alone, so that both send the same.
import type { CloudEvent } from '../core/event.js';
import { encodeId } from '../core/ids.js';
import { webhookEventData, type WebhookEventType } from './event-types.js';

export interface PublicEvent {
  type: WebhookEventType;
  /** The time of the event, in ISO 8601. */
  createdAt: string;
  /** The fields of the public contract, without internal ones. */
  data: unknown;
}

/** The public fields of an event. Throws if its type is not public. */
export function publicEventOf({ type, time, data }: CloudEvent): PublicEvent {
  if (!(type in webhookEventData)) throw new Error(`${type} is no public event`);
  const publicType = type as WebhookEventType;
  return {
    type: publicType,
    createdAt: new Date(time).toISOString(),
    data: webhookEventData[publicType].parse(data),
  };
}

/** The public id (uuid) of an event: a UUIDv7 (RFC 9562) of its time, with the random bits of its own id. */
export function eventIdOf({ id, time }: Pick<CloudEvent, 'id' | 'time'>): string {
  const moment = Date.parse(time).toString(16).padStart(12, '0');
  return `${moment.slice(0, 8)}-${moment.slice(8)}-7${id.slice(15)}`;
}

/** The time in a public id, in epoch milliseconds. */
export const timeOfEventId = (eventId: string): number => Number.parseInt(eventId.replace('-', '').slice(0, 12), 16);

/** Both ids are uuids. */
export function payloadOf(eventId: string, organizationId: string, { type, createdAt, data }: PublicEvent): string {
  return JSON.stringify({
    id: encodeId('event', eventId),
    type,
    created_at: createdAt,
    org_id: encodeId('organization', organizationId),
    data,
  });
}
