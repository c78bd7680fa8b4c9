import { expect, it } from '@jest/globals';
import { v7 as uuidv7, version } from 'uuid';
import { eventIdOf } from './event-id.domain.js';

const event = { id: uuidv7(), time: '2026-11-21T10:30:08.123+01:00' };

it('the id of an event for a webhook is the same whenever it is made, and another for any other', () => {
  const webhookId = uuidv7();
  const id = eventIdOf(event, webhookId);
  expect(eventIdOf({ ...event }, webhookId)).toBe(id);
  const others = [eventIdOf(event, uuidv7()), eventIdOf({ ...event, id: uuidv7() }, webhookId)];
  expect(new Set([id, ...others]).size).toBe(3);
});

it('the id of an event is a UUIDv7 of the moment at which it happened', () => {
  for (let round = 0; round < 100; round++) {
    const id = eventIdOf(event, uuidv7());
    expect(version(id)).toBe(7);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-11-21T09:30:08.123Z'));
  }
});
