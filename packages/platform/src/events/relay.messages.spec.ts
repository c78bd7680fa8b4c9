import { event } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { outboxRow } from './outbox.js';
import { messagesOf } from './relay.messages.js';

describe('messages of a batch of events', () => {
  const ofBatch = (envelopes: string) =>
    messagesOf('kiln', { sequence: 1, id: null, type: null, envelopes, packed: null, left_out: [] });
  const row = (type: string) => {
    const definition = event({ type, owner: 'sample', data: z.object({ name: z.string() }) });
    // A name that looks like the begin of an envelope, with a line end.
    const data = { name: '\n{"specversion":"1.0","id":"7","source":"","type":"x"\u2028' };
    return outboxRow({ definition, tenantId: uuidv7(), subject: 'sample_1', data });
  };

  it('have each event’s own id and subject, and the event as it was written', () => {
    const rows = [row('sample.made'), row('sample.ended')];
    const envelopes = rows.map(({ envelope }) => envelope).join('\n');
    assert.deepEqual(
      ofBatch(envelopes),
      rows.map(({ id, type, envelope }) => ({ id, subject: `kiln.events.${type}`, payload: envelope })),
    );
  });

  it('are read from the begin of what is written here, without parsing it', () => {
    const { id, envelope } = row('sample.made');
    const begin = envelope.slice(0, envelope.indexOf(',"subject"'));
    assert.throws(() => JSON.parse(begin) as unknown);
    assert.equal(ofBatch(begin)[0]?.id, id);
  });

  it('are read whatever the order of an envelope’s keys, and however they are escaped', () => {
    for (const envelope of [
      '{"type":"sample.made","id":"7"}',
      '{"specversion":"1.0","id":"\\u0037","type":"sample.made"}',
    ])
      assert.deepEqual(ofBatch(envelope), [{ id: '7', subject: 'kiln.events.sample.made', payload: envelope }]);
  });
});
