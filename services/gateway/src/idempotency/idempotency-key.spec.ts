import { badRequest, conflict } from '@kiln/contracts';
import { Sealer } from '@kiln/platform';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { fingerprintOf } from './fingerprint.js';
import { hashOfKey, idempotencyKeyOf } from './idempotency-key.js';
import { answerOfText, textOfAnswer, textOfError } from './kept-answer.js';
import { openAnswer, sealAnswer } from './sealed-answers.js';

it('a kept answer opens with the operator’s key and in its own place only, and shows nothing to others', () => {
  const newSealer = () => new Sealer(randomBytes(32).toString('base64'));
  const sealer = newSealer();
  const place = { tenantId: 'tenant', route: 'createApiKey', keyHash: hashOfKey('order 1') };
  const kept = { fingerprint: fingerprintOf({ a: 1 }), text: '{"key":"kiln_live_secret"}' };
  const sealed = sealAnswer(sealer, place, kept);
  assert.deepEqual(openAnswer(sealer, place, sealed), kept);
  assert.ok(!sealed.includes('secret') && !sealed.includes(kept.fingerprint));
  for (const elsewhere of [{ tenantId: 'other' }, { route: 'other' }, { keyHash: hashOfKey('order 2') }]) {
    assert.equal(openAnswer(sealer, { ...place, ...elsewhere }, sealed), null);
  }
  assert.equal(openAnswer(newSealer(), place, sealed), null);
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
