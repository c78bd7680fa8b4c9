// Verifies the requests that Kiln sends to webhooks (https://www.standardwebhooks.com).
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { EventsByType, EventType, KilnEvent } from './generated/event-payloads.js';

export { WebhookVerificationError };
export type { EventsByType, EventType, KilnEvent };

export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  /** The body as it arrived, not parsed. */
  body: string | Uint8Array;
  headers: HeadersLike;
  /** `whsec_…`. Several while a secret is replaced: one of them must fit. */
  secret: string | readonly string[];
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Returns the event. Throws WebhookVerificationError if no secret fits, or if the request is more than 5 minutes old or early. The same event
 * can arrive twice: compare `id`.
 */
export function verifyWebhook({ body, headers, secret }: WebhookRequest): KilnEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const read = Object.fromEntries(NAMES.map((name) => [name, headerOf(headers, name)]));
  const secrets = typeof secret === 'string' ? [secret] : secret;
  let failure: unknown = new TypeError('secret must not be empty');
  for (const one of secrets) {
    try {
      return new Webhook(one).verify(text, read) as KilnEvent;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function headerOf(headers: HeadersLike, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
