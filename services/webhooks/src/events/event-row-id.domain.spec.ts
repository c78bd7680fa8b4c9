import { expect, it } from '@jest/globals';
import { v7 as uuidv7, version } from 'uuid';
import { eventIdOfRow, rowIdOf } from './event-row-id.domain.js';

it('the row of an event for a webhook has the same id whenever it is made, and another for any other', () => {
  const [eventId, webhookId] = [uuidv7(), uuidv7()];
  const id = rowIdOf(eventId, webhookId);
  expect(rowIdOf(eventId, webhookId)).toBe(id);
  expect(new Set([id, rowIdOf(eventId, uuidv7()), rowIdOf(uuidv7(), webhookId)]).size).toBe(3);
});

it('the id of the event follows from the row, and the row begins with its time', () => {
  for (let round = 0; round < 100; round++) {
    const [eventId, webhookId] = [uuidv7(), uuidv7()];
    const id = rowIdOf(eventId, webhookId);
    expect([version(id), id.slice(0, 13), eventIdOfRow(id, webhookId)]).toStrictEqual([
      8,
      eventId.slice(0, 13),
      eventId,
    ]);
  }
});

it('the row of an earlier release has the id of its event', () => {
  const id = uuidv7();
  expect(eventIdOfRow(id, uuidv7())).toBe(id);
});
