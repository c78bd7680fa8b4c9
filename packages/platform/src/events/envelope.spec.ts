import { describe, expect, it } from '@jest/globals';
import { cloudEventSchema, event } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { envelopeOf } from './envelope.js';
import { newEvent } from './new-event.js';

const definition = event({ type: 'sample.made', owner: 'sample', data: z.object({ name: z.string() }) });
const [tenantId, id] = [uuidv7(), uuidv7()];

describe('the envelope of an event', () => {
  it('is a CloudEvent with the current time, and accepts any characters from callers', () => {
    const strange = 'a"b\\c\n\u2028\u0000é😀';
    const before = Date.now();
    const made = newEvent({ definition, tenantId, subject: strange, requestId: strange, data: { name: strange } });
    const { time, ...envelope } = JSON.parse(envelopeOf(made, id)) as Record<string, string>;
    expect(envelope).toStrictEqual({
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
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(Date.now());
  });

  it('matches the contract on one line, also without a request', () => {
    const text = envelopeOf(newEvent({ definition, tenantId, subject: 'x', data: { name: 'a\nb' } }), id);
    expect(text).not.toContain('\n');
    expect('requestid' in cloudEventSchema.parse(JSON.parse(text))).toBe(false);
  });

  it('is rejected if the data does not match the definition', () => {
    const wrong = newEvent({ definition, tenantId, subject: 'x', data: { name: 1 as unknown as string } });
    expect(() => envelopeOf(wrong, id)).toThrow(z.ZodError);
  });
});
