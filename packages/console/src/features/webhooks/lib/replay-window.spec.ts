import { expect, it } from '@jest/globals';
import { localTimeOf } from '../../../ui/formats.js';
import { windowOf } from './replay-window.js';

const NINE = new Date('2026-11-27T09:00:00.000Z');
const TEN = new Date('2026-11-27T10:00:00.000Z');

it('local times become ISO 8601, whatever the zone', () => {
  expect(windowOf(localTimeOf(NINE), localTimeOf(TEN))).toStrictEqual({
    since: NINE.toISOString(),
    until: TEN.toISOString(),
  });
  expect(windowOf(localTimeOf(NINE), '')).toStrictEqual({ since: NINE.toISOString() });
});

it('a window that does not begin, or ends before it begins, is none', () => {
  expect(windowOf('', localTimeOf(TEN))).toBeNull();
  expect(windowOf(localTimeOf(TEN), localTimeOf(NINE))).toBeNull();
});
