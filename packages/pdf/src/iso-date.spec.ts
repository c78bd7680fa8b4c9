import { describe, expect, it } from '@jest/globals';
import { isoDate } from './iso-date.js';

describe('a date that a document states', () => {
  it('is ISO 8601, as precise as it is stated', () => {
    for (const [stated, expected] of [
      ['2024', '2024'],
      ['2024-05', '2024-05'],
      [' 2024-05-01 ', '2024-05-01'],
      ['2024-05-01T09:30', '2024-05-01T09:30:00'],
      ['2024-05-01 09:30:05Z', '2024-05-01T09:30:05Z'],
      ['2024-05-01T09:30:05.123456789', '2024-05-01T09:30:05.123'],
      ['2024-05-01T09:30:05.000z', '2024-05-01T09:30:05Z'],
      ['2024-05-01T09:30:05+0200', '2024-05-01T09:30:05+02:00'],
      ['2024-05-01T09:30:05-05', '2024-05-01T09:30:05-05:00'],
    ] as const)
      expect(isoDate(stated)).toBe(expected);
  });

  it('is left out when it is no date', () => {
    for (const stated of ['yesterday', '1.5.2024', '2024-13-01', '2024-05-01T25:00', '12024', '', null, undefined])
      expect(isoDate(stated)).toBeNull();
  });
});
