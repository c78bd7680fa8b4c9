import { expect, it } from '@jest/globals';
import { lifetimesFor, requestOf, type NewKey } from './new-key.js';

const NOW = new Date('2026-11-27T09:00:00Z');
const key: NewKey = { name: ' ci ', mode: 'test', scopes: new Set(['files:read']), lifetime: '7 days' };
const unbound = lifetimesFor(null, NOW);

it('a form becomes a request with the time at which the key expires', () => {
  expect(requestOf(key, unbound)).toStrictEqual({
    name: 'ci',
    mode: 'test',
    scopes: ['files:read'],
    expires_at: '2026-12-04T09:00:00.000Z',
  });
  expect(requestOf({ ...key, lifetime: 'Never' }, unbound)).not.toHaveProperty('expires_at');
});

it('a form without a name or a scope is no request', () => {
  expect(requestOf({ ...key, name: ' ' }, unbound)).toBeNull();
  expect(requestOf({ ...key, scopes: new Set() }, unbound)).toBeNull();
});

it('a key that expires offers no lifetime beyond its own', () => {
  const titles = (ownExpiresAt: string) => lifetimesFor(ownExpiresAt, NOW).map(({ title }) => title);
  expect(titles('2026-11-27 21:00:00')).toStrictEqual(['With the key of this session']);
  expect(titles('2026-12-05 09:00:00')).toStrictEqual(['7 days', 'With the key of this session']);
  expect(requestOf(key, lifetimesFor('2026-11-27 21:00:00', NOW))?.expires_at).toBe('2026-11-27T21:00:00.000Z');
});
