// The payload of an event: a thin extract, built once, so that every attempt sends the same bytes.
import { encodeId, webhookEventData, type CloudEvent, type WebhookEventType } from '@kiln/contracts';

export interface PublicEvent {
  type: WebhookEventType;
  /** ISO 8601: when it happened. */
  createdAt: string;
  /** Reduced to the public contract: internal fields are left out. */
  data: unknown;
}

/** The public side of an event of one of the public types. */
export function publicEventOf({ type, time, data }: CloudEvent): PublicEvent {
  if (!(type in webhookEventData)) throw new Error(`${type} is no public event`);
  const publicType = type as WebhookEventType;
  return {
    type: publicType,
    createdAt: new Date(time).toISOString(),
    data: webhookEventData[publicType].parse(publicType === 'variant.ready' ? withVariant(data) : data),
  };
}

/** Among services the event names its one variant `type`; in public, events about files all have the list `variants`. */
const withVariant = (data: unknown) => ({ ...(data as object), variants: [(data as { type: unknown }).type] });

export function payloadOf(eventId: string, organizationId: string, { type, createdAt, data }: PublicEvent): string {
  return JSON.stringify({
    id: encodeId('event', eventId),
    type,
    created_at: createdAt,
    org_id: encodeId('organization', organizationId),
    data,
  });
}
