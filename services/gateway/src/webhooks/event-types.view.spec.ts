import { expect, it } from '@jest/globals';
import { subscriptions, TEST_EVENT_TYPE, webhookPayloadSchema } from '@kiln/contracts';
import { z } from 'zod';
import { eventTypeList, eventTypeListSchema } from './event-types.view.js';

const { event_types: types } = eventTypeListSchema.parse(eventTypeList);

it('the catalogue has every type that a webhook can subscribe to, and the test', () => {
  const named = subscriptions.filter((type) => type !== '*');
  expect(types.map(({ type }) => type)).toStrictEqual([...named, TEST_EVENT_TYPE]);
  expect(types.every(({ description }) => /^[A-Z].*\.$/.test(description))).toBe(true);
});

it.each(types)('$type has an example that its schema and its contract accept', ({ type, schema, example }) => {
  expect(z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(example).success).toBe(true);
  expect(webhookPayloadSchema(type).safeParse(example).success).toBe(true);
  const broken = { ...example, data: { ...(example['data'] as object), file_id: 7, webhook_id: 7, sync_id: 7 } };
  expect(z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(broken).success).toBe(false);
});
