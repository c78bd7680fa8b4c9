import { expect, it } from '@jest/globals';
import { readSettingsAddress } from './settings-address.js';

it('an address has the tab unless it is the first, and ignores what it does not know', () => {
  expect(readSettingsAddress({ tab: 'routing', more: 1 })).toStrictEqual({ tab: 'routing' });
  for (const tab of ['processing', 'billing', undefined, 7]) expect(readSettingsAddress({ tab })).toStrictEqual({});
});
