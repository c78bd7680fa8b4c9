import fc from 'fast-check';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { CodedError } from './errors.js';
import { decodeCursor, encodeCursor, limitSchema } from './pagination.js';

const values = z.tuple([z.string(), z.int()]);
const isBadRequest = (error: unknown) => error instanceof CodedError && error.code === 'BAD_REQUEST';

it('a cursor brings back its values, whatever text they hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), (name, size) => {
      assert.deepEqual(decodeCursor('files:t1', encodeCursor('files:t1', [name, size]), values), [name, size]);
    }),
  );
});

it('a cursor of another list, tenant or order is refused', () => {
  assert.throws(() => decodeCursor('files:t2', encodeCursor('files:t1', ['a', 1]), values), isBadRequest);
});

it('anything else is refused, never trusted and never a fault', () => {
  fc.assert(
    fc.property(fc.string(), (text) => assert.throws(() => decodeCursor('files:t1', text, values), isBadRequest)),
  );
  assert.throws(() => decodeCursor('files:t1', encodeCursor('files:t1', [1, 'a']), values), isBadRequest);
});

it('limit is a whole number from 1 to 200', () => {
  const schema = limitSchema(50);
  assert.equal(schema.parse(undefined), 50);
  assert.equal(schema.parse('200'), 200);
  assert.equal(schema.parse(200), 200);
  const otherForms = ['0x10', '1e2', '+5', ' 5', '5 ', '5.0', '٥', '0b1', '1_0', null, true, [5]];
  for (const wrong of ['0', '201', '-1', '1.5', 'many', '', ...otherForms])
    assert.equal(schema.safeParse(wrong).success, false, String(wrong));
});
