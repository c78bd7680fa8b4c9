// The form of a webhook, and the request that it becomes.
import type { Schemas } from '@kiln/sdk';

type CreateRequest = Schemas['CreateWebhookRequest'];
export type Subscription = CreateRequest['events'][number];

/** Sent by the test only, to each webhook. */
const TEST_TYPE = 'webhook.test';

export interface WebhookForm {
  url: string;
  /** `*` includes all types. */
  events: ReadonlySet<Subscription>;
  /** Separated by commas or blanks. Empty: all. */
  spaces: string;
  active: boolean;
}

export const EMPTY_FORM: WebhookForm = { url: '', events: new Set(['*']), spaces: '', active: true };

export const formOf = ({ url, events, spaces, active }: Schemas['Webhook']): WebhookForm => ({
  url,
  events: new Set(events),
  spaces: spaces?.join(', ') ?? '',
  active,
});

type EventType = Schemas['ListWebhookEventTypesResponse']['event_types'][number];
type SubscribableType = Omit<EventType, 'type'> & { type: Subscription };

export const subscribable = (types: readonly EventType[]): SubscribableType[] =>
  types.flatMap(({ type, ...about }) => (type === TEST_TYPE ? [] : [{ ...about, type }]));

export type WebhookRequest = Required<Pick<CreateRequest, 'url' | 'events' | 'spaces'>> & { active: boolean };

/** What differs from the form before: Kiln, or another user, may have changed the other fields since. */
export function changesOf(before: WebhookForm, request: WebhookRequest): Partial<WebhookRequest> {
  const known: Readonly<Record<string, unknown>> = { ...requestOf(before) };
  const changed = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed);
}

/** Null while something is missing. */
export function requestOf({ url, events, spaces, active }: WebhookForm): WebhookRequest | null {
  if (!URL.canParse(url.trim()) || events.size === 0) return null;
  const names = spaces.split(/[\s,]+/).filter(Boolean);
  return {
    url: url.trim(),
    events: events.has('*') ? ['*'] : [...events],
    spaces: names.length > 0 ? names : null,
    active,
  };
}
