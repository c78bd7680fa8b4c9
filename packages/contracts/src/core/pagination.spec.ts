import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { z } from 'zod';
import { decodeCursor, encodeCursor, limitSchema } from './pagination.js';

fc.configureGlobal({ seed: testSeed() });

const values = z.tuple([z.string(), z.int()]);
const badRequest = expect.objectContaining({ name: 'CodedError', code: 'BAD_REQUEST' });

it('a cursor brings back its values, whatever text they hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), (name, size) => {
      expect(decodeCursor('files:t1', encodeCursor('files:t1', [name, size]), values)).toStrictEqual([name, size]);
    }),
  );
});

it('a cursor of another list, tenant or order is refused', () => {
  expect(() => decodeCursor('files:t2', encodeCursor('files:t1', ['a', 1]), values)).toThrow(badRequest);
});

it('anything else is refused, never trusted and never a fault', () => {
  fc.assert(
    fc.property(fc.string(), (text) => expect(() => decodeCursor('files:t1', text, values)).toThrow(badRequest)),
  );
  expect(() => decodeCursor('files:t1', encodeCursor('files:t1', [1, 'a']), values)).toThrow(badRequest);
});

describe('limit', () => {
  const schema = limitSchema(50);

  it('is a whole number up to 200, and has a default', () => {
    expect(schema.parse(undefined)).toBe(50);
    expect(schema.parse('200')).toBe(200);
    expect(schema.parse(200)).toBe(200);
  });

  const otherForms = ['0x10', '1e2', '+5', ' 5', '5 ', '5.0', '٥', '0b1', '1_0', null, true, [5]];
  it.each(['0', '201', '-1', '1.5', 'many', '', ...otherForms])('is not %j', (wrong) => {
    expect(schema.safeParse(wrong).success).toBe(false);
  });
});
