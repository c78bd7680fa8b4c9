// The signed request of an attempt, with the event as its body, or the reason why the delivery cannot be sent.
import { encodeId, TEST_EVENT_TYPE } from '@kiln/contracts';
import { signatureOf } from '@kiln/platform';
import { eventIdOfRow } from '../events/event-row-id.domain.js';
import type { ClaimedDelivery } from './claim.store.js';
import type { Endpoint, UnusableEndpoint } from './endpoint-directory.service.js';
import type { HttpRequest } from './http-sender.adapter.js';
import { notSent, unsent, type Report } from './delivery-report.service.js';

/** The report of a delivery that cannot be sent. Null if it can be sent. */
export function unsendable(
  delivery: ClaimedDelivery,
  endpoint: Endpoint | UnusableEndpoint | undefined,
): Report | null {
  if (endpoint === undefined) return unsent(delivery, 'The webhook was deleted.');
  if (!endpoint.active && delivery.event_type !== TEST_EVENT_TYPE)
    return unsent(delivery, 'The webhook is not active.');
  if (delivery.payload === null) return unsent(delivery, 'The event is no longer kept.');
  return endpoint.fault === null ? null : notSent(delivery, Date.now(), endpoint.fault);
}

export function signedRequest(delivery: ClaimedDelivery, endpoint: Endpoint, attemptedAt: number): HttpRequest {
  const { origin, path } = endpoint;
  const body = delivery.payload ?? '';
  const eventId = eventIdOfRow(delivery.event_id, delivery.webhook_id);
  const headers = headersOf(encodeId('event', eventId), attemptedAt, body, endpoint);
  return { origin, path, headers, body };
}

function headersOf(eventId: string, attemptedAt: number, body: string, endpoint: Endpoint): string[] {
  const { key, earlier } = endpoint;
  const timestamp = Math.floor(attemptedAt / 1_000);
  const keys = [key, ...earlier.filter(({ until }) => until > attemptedAt).map((one) => one.key)];
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Kiln-Webhooks/1.0',
    'kiln-payload-version',
    '1',
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signatureOf(keys, eventId, timestamp, body),
    ...endpoint.headers,
  ];
}
