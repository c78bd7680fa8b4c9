import { expect, it } from '@jest/globals';
import * as contracts from '../index.js';

it('every event of a public type that some service emits goes out to webhooks', () => {
  const definitions = Object.entries(contracts)
    .filter(([name]) => name.endsWith('Events') && name !== 'publicEvents')
    .flatMap(([, events]) => Object.values(events as Record<string, { type: string }>));
  const emitted = definitions.map(({ type }) => type).filter((type) => type in contracts.webhookEventData);
  expect(contracts.publicEvents.map(({ type }) => type).sort()).toStrictEqual(emitted.sort());
  expect(emitted).toContain('file.processing.completed');
});
