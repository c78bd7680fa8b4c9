import { describe, expect, it } from '@jest/globals';
import { lastDays, windowOf } from './periods.domain.js';

describe('the last days', () => {
  it('end with today in UTC, also across months and leap days', () => {
    expect(lastDays(3, new Date('2028-03-01T00:00:00Z'))).toStrictEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(lastDays(1, new Date('2026-11-22T23:59:59.999Z'))).toStrictEqual(['2026-11-22']);
    expect(lastDays(365, new Date('2026-11-22T12:00:00Z'))[0]).toBe('2025-11-23');
  });
});

describe('a window', () => {
  it.each([
    [1, '2026-11-22T12:30:00Z', '2026-11-21T12:00', '2026-11-22T00:00', '2026-12-01T00:00'],
    [1, '2026-11-22T00:00:00Z', '2026-11-21T00:00', '2026-11-21T00:00', '2026-12-01T00:00'],
    [30, '2026-11-22T12:30:00Z', '2026-10-23T12:00', '2026-10-24T00:00', '2026-11-01T00:00'],
    [22, '2026-11-23T00:00:00Z', '2026-11-01T00:00', '2026-11-01T00:00', '2026-11-01T00:00'],
    [365, '2026-12-31T23:59:59Z', '2025-12-31T23:00', '2026-01-01T00:00', '2026-01-01T00:00'],
  ])('of %i days before %s has hours from %s, days from %s and months from %s', (days, now, ...parts) => {
    const window = windowOf(days, new Date(now));
    expect([window.hours, window.days, window.months]).toStrictEqual(parts.map((part) => new Date(`${part}:00Z`)));
  });
});
