import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fingerprintOf } from './fingerprint.js';
import { hashOfKey, idempotencyKeyOf, open, seal } from './idempotency-key.js';
import { answerOfText, textOfAnswer, textOfError } from './kept-answer.js';
import { badRequest, conflict } from '@kiln/contracts';

it('a kept answer is read back by its key in its place only, and shows nothing to others', () => {
  const sealed = seal('order 1', 'tenant route', '{"key":"kiln_live_secret"}');
  assert.equal(open('order 1', 'tenant route', sealed), '{"key":"kiln_live_secret"}');
  assert.doesNotMatch(sealed.toString('latin1'), /secret/);
  assert.throws(() => open('order 2', 'tenant route', sealed));
  assert.throws(() => open('order 1', 'tenant other', sealed));
  assert.doesNotMatch(hashOfKey('order 1').toString('latin1'), /order/);
});

it('a key has 1 to 255 characters', () => {
  assert.equal(idempotencyKeyOf(undefined), null);
  assert.equal(idempotencyKeyOf('a'), 'a');
  for (const wrong of ['', 'x'.repeat(256)]) assert.throws(() => idempotencyKeyOf(wrong), /1 to 255/);
});

it('the order of names does not change a fingerprint, every value does', () => {
  assert.deepEqual(
    fingerprintOf({ a: 1, b: { c: [1, 2], d: 'x' } }),
    fingerprintOf({ b: { d: 'x', c: [1, 2] }, a: 1 }),
  );
  const others = [{ a: 2 }, { a: '1' }, { a: [1] }, { b: 1 }, { a: 1, b: null }, undefined].map(fingerprintOf);
  for (const other of others) assert.notDeepEqual(other, fingerprintOf({ a: 1 }));
});

it('conflicts are kept, invalid input, faults and answers beyond a megabyte are not', () => {
  assert.throws(() => answerOfText(textOfError(conflict('It is taken.')) ?? ''), /It is taken/);
  assert.equal(textOfError(badRequest('no')), null);
  assert.equal(textOfError(new Error('fault')), null);
  assert.equal(textOfAnswer({ text: 'x'.repeat(1_100_000) }), null);
});
