import { expect, it } from '@jest/globals';
import { localInput, windowOf } from './replay-window.js';

const NINE = new Date('2026-11-27T09:00:00.000Z');
const TEN = new Date('2026-11-27T10:00:00.000Z');

it('local times become ISO 8601, whatever the zone', () => {
  expect(windowOf(localInput(NINE), localInput(TEN))).toStrictEqual({
    since: NINE.toISOString(),
    until: TEN.toISOString(),
  });
  expect(windowOf(localInput(NINE), '')).toStrictEqual({ since: NINE.toISOString() });
});

it('a window that does not begin, or ends before it begins, is none', () => {
  expect(windowOf('', localInput(TEN))).toBeNull();
  expect(windowOf(localInput(TEN), localInput(NINE))).toBeNull();
});
