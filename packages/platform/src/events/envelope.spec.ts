import { cloudEventSchema, event } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { envelopeOf } from './envelope.js';
import { newEvent } from './new-event.js';

const definition = event({ type: 'sample.made', owner: 'sample', data: z.object({ name: z.string() }) });
const [tenantId, id] = [uuidv7(), uuidv7()];

describe('the envelope of an event', () => {
  it('is a CloudEvent of this moment, whatever characters a caller has put into it', () => {
    const strange = 'a"b\\c\n\u2028\u0000é😀';
    const before = Date.now();
    const made = newEvent({ definition, tenantId, subject: strange, requestId: strange, data: { name: strange } });
    const { time, ...envelope } = JSON.parse(envelopeOf(made, id)) as Record<string, string>;
    assert.deepEqual(envelope, {
      specversion: '1.0',
      id,
      source: '/kiln/sample',
      type: 'sample.made',
      subject: strange,
      datacontenttype: 'application/json',
      tenantid: tenantId,
      mode: 'live',
      requestid: strange,
      data: { name: strange },
    });
    const madeAt = Date.parse(time ?? '');
    assert.ok(madeAt >= before && madeAt <= Date.now(), time);
  });

  it('fits the contract, on one line, without a request too', () => {
    const text = envelopeOf(newEvent({ definition, tenantId, subject: 'x', data: { name: 'a\nb' } }), id);
    assert.ok(!text.includes('\n'));
    assert.equal('requestid' in cloudEventSchema.parse(JSON.parse(text)), false);
  });

  it('is refused when the data does not fit the definition', () => {
    const wrong = newEvent({ definition, tenantId, subject: 'x', data: { name: 1 as unknown as string } });
    assert.throws(() => envelopeOf(wrong, id), z.ZodError);
  });
});
