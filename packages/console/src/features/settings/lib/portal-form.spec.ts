import { expect, it } from '@jest/globals';
import { portalFormOf, portalRequestOf } from './portal-form.js';

it('sites are one a line, and blank lines are ignored', () => {
  const sites = ['https://a.example', 'http://localhost:3000'];
  expect(portalFormOf({ frame_ancestors: sites })).toStrictEqual({ sites: sites.join('\n') });
  expect(portalRequestOf({ sites: ` ${sites.join('\n\n ')}\n` })).toStrictEqual({ frame_ancestors: sites });
  expect(portalRequestOf({ sites: '' })).toStrictEqual({ frame_ancestors: [] });
});
