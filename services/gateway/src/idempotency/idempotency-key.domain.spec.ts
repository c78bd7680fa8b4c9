import { expect, it } from '@jest/globals';
import { badRequest, conflict } from '@kiln/contracts';
import { Sealer } from '@kiln/platform';
import { randomBytes } from 'node:crypto';
import { fingerprintOf } from './fingerprint.domain.js';
import { hashOfKey, idempotencyKeyOf } from './idempotency-key.domain.js';
import { responseOfText, textOfResponse, textOfError } from './stored-response.domain.js';
import { openResponse, sealResponse } from './sealed-responses.service.js';

it('a kept answer opens with the operator’s key and in its own place only, and shows nothing to others', () => {
  const newSealer = () => new Sealer(randomBytes(32).toString('base64'));
  const sealer = newSealer();
  const place = { tenantId: 'tenant', route: 'createApiKey', keyHash: hashOfKey('order 1') };
  const kept = { fingerprint: fingerprintOf({ a: 1 }), text: '{"key":"kiln_live_secret"}' };
  const sealed = sealResponse(sealer, place, kept);
  expect(openResponse(sealer, place, sealed)).toStrictEqual(kept);
  expect(sealed.toString('latin1')).not.toContain('secret');
  expect(sealed.indexOf(kept.fingerprint)).toBe(-1);
  for (const elsewhere of [{ tenantId: 'other' }, { route: 'other' }, { keyHash: hashOfKey('order 2') }]) {
    expect(openResponse(sealer, { ...place, ...elsewhere }, sealed)).toBeNull();
  }
  expect(openResponse(newSealer(), place, sealed)).toBeNull();
});

it('a key has 1 to 255 characters', () => {
  expect(idempotencyKeyOf(undefined)).toBeNull();
  expect(idempotencyKeyOf('a')).toBe('a');
  for (const wrong of ['', 'x'.repeat(256)]) expect(() => idempotencyKeyOf(wrong)).toThrow(/1 to 255/);
});

it('the order of names does not change a fingerprint, every value does', () => {
  expect(fingerprintOf({ a: 1, b: { c: [1, 2], d: 'x' } })).toStrictEqual(
    fingerprintOf({ b: { d: 'x', c: [1, 2] }, a: 1 }),
  );
  const others = [{ a: 2 }, { a: '1' }, { a: [1] }, { b: 1 }, { a: 1, b: null }, undefined].map(fingerprintOf);
  for (const other of others) expect(other).not.toStrictEqual(fingerprintOf({ a: 1 }));
});

it('conflicts are kept, invalid input, faults and answers beyond a megabyte are not', () => {
  expect(() => responseOfText(textOfError(conflict('It is taken.')) ?? '')).toThrow(/It is taken/);
  expect(textOfError(badRequest('no'))).toBeNull();
  expect(textOfError(new Error('fault'))).toBeNull();
  expect(textOfResponse({ text: 'x'.repeat(1_100_000) })).toBeNull();
});
