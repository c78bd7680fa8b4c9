import { expect, it } from '@jest/globals';
import { changedFields, without } from './draft.js';

it('a field has changed while it differs from the stored value', () => {
  const stored = { name: 'Acme', list: ['a'] };
  expect(changedFields(stored, {})).toStrictEqual(new Set());
  expect(changedFields(stored, { name: 'Acme', list: ['a', 'b'] })).toStrictEqual(new Set(['list']));
});

it('what was typed after a form was sent is still not saved', () => {
  const sent = { name: 'Acme', color: '#1a2b3c', sites: ['a'] };
  expect(without({ name: 'Acme', color: '#ffffff', sites: ['a'] }, sent)).toStrictEqual({ color: '#ffffff' });
  expect(without({ name: 'Acme' }, sent)).toStrictEqual({});
});
