import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as contracts from '../index.js';

it('every event of a public type that some service emits goes out to webhooks', () => {
  const definitions = Object.entries(contracts)
    .filter(([name]) => name.endsWith('Events') && name !== 'publicEvents')
    .flatMap(([, events]) => Object.values(events as Record<string, { type: string }>));
  const emitted = definitions.map(({ type }) => type).filter((type) => type in contracts.webhookEventData);
  assert.deepEqual(contracts.publicEvents.map(({ type }) => type).sort(), emitted.sort());
  assert.ok(emitted.includes('file.processing.completed'));
});
