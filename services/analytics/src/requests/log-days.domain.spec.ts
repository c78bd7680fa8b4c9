import { expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { firstIdOf, isInLog } from './log-days.domain.js';

const idAt = (time: string, last: number) => uuidv7({ msecs: Date.parse(time), random: new Uint8Array(16).fill(last) });

it('the first id of a time separates the ids before it from the others', () => {
  const first = firstIdOf(new Date('2026-11-22T00:00:00Z'));
  expect(idAt('2026-11-21T23:59:59.999Z', 255) < first).toBe(true);
  expect(idAt('2026-11-22T00:00:00.000Z', 0) > first).toBe(true);
});

it('the log takes entries of the last 7 days, and of clocks that are up to a day ahead', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const at = ['2026-11-15T11:59:59Z', '2026-11-15T12:00:01Z', '2026-11-23T11:59:59Z', '2026-11-23T12:00:01Z'];
  expect(at.map((time) => isInLog(idAt(time, 1), now))).toStrictEqual([false, true, true, false]);
});
