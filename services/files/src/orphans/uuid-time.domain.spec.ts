import { expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { idPrefixes } from './uuid-time.domain.js';

const HOUR_MS = 3_600_000;
/** One id is in the first, one in the last millisecond that a digit of the text covers. */
const starts = ['2026-03-01T12:00:00.000Z', '2025-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'].map(
  (text) => new Date(text),
);

it.each([1, 1_000, 60_000, HOUR_MS, 13 * HOUR_MS, 400 * 24 * HOUR_MS, 60 * 365 * 24 * HOUR_MS])(
  'one or two prefixes cover the ids of %d ms, and no others than those made within 16 times as long',
  (milliseconds) => {
    for (const from of starts) {
      const [start, end] = [from.getTime(), from.getTime() + milliseconds];
      const prefixes = idPrefixes(from, new Date(end));
      expect([1, 2]).toContain(prefixes.length);
      const isCovered = (msecs: number) => prefixes.some((prefix) => uuidv7({ msecs }).startsWith(prefix));
      for (let step = 0; step <= 16; step++)
        expect(isCovered(start + Math.floor((milliseconds * step) / 16))).toBe(true);
      expect(isCovered(end + 2 * 16 * milliseconds)).toBe(false);
    }
  },
);
