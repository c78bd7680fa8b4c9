// The payload of an event: its public fields. It is built once, so that every attempt sends the same bytes.
import { encodeId, webhookEventData, type CloudEvent, type WebhookEventType } from '@kiln/contracts';

export interface PublicEvent {
  type: WebhookEventType;
  /** The time of the event, in ISO 8601. */
  createdAt: string;
  /** The fields of the public contract, without internal ones. */
  data: unknown;
}

/** The public fields of an event. */
export function publicEventOf({ type, time, data }: CloudEvent): PublicEvent {
  if (!(type in webhookEventData)) throw new Error(`${type} is no public event`);
  const publicType = type as WebhookEventType;
  return {
    type: publicType,
    createdAt: new Date(time).toISOString(),
    data: webhookEventData[publicType].parse(data),
  };
}

export function payloadOf(eventId: string, organizationId: string, { type, createdAt, data }: PublicEvent): string {
  return JSON.stringify({
    id: encodeId('event', eventId),
    type,
    created_at: createdAt,
    org_id: encodeId('organization', organizationId),
    data,
  });
}
