import { expect, it } from '@jest/globals';
import { changedFields } from './draft.js';

it('a field has changed while it differs from the stored value', () => {
  const stored = { name: 'Acme', list: ['a'] };
  expect(changedFields(stored, {})).toStrictEqual(new Set());
  expect(changedFields(stored, { name: 'Acme', list: ['a', 'b'] })).toStrictEqual(new Set(['list']));
});
