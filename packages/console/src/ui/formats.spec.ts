import { describe, expect, it } from '@jest/globals';
import { formatAge, formatBytes, formatDay, formatDuration, formatMs, parseTime, plural } from './formats.js';

describe('formats', () => {
  it('write sizes in decimal units', () => {
    expect([0, 999, 1_000, 1_250_000, 999_600, 120_000_000, 5e15].map(formatBytes)).toStrictEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '1.3 MB',
      '1.0 MB',
      '120 MB',
      '5000 TB',
    ]);
  });

  it('read times of the API as UTC', () => {
    expect(parseTime('2026-11-21 09:30:08').toISOString()).toBe('2026-11-21T09:30:08.000Z');
    expect(parseTime('2026-11-21T09:30:08.123Z').toISOString()).toBe('2026-11-21T09:30:08.123Z');
  });

  it('write ages in their largest unit, and old times as dates', () => {
    const now = new Date('2026-11-21T10:00:00Z');
    const ages = [
      '2026-11-21 09:59:58',
      '2026-11-21 09:59:20',
      '2026-11-21 07:00:00',
      '2026-11-19 10:00:00',
      '2026-01-05 10:00:00',
    ];
    expect(ages.map((time) => formatAge(parseTime(time), now))).toStrictEqual([
      'just now',
      '40 s ago',
      '3 h ago',
      '2 d ago',
      'Jan 5, 2026',
    ]);
    expect(formatDuration(59.6)).toBe('60 s');
  });

  it('write days and times of processing', () => {
    expect([formatDay('2026-11-01'), formatDay('')]).toStrictEqual(['Nov 1', '']);
    expect([0, 840.4, 2_440, 9_990, 61_000].map(formatMs)).toStrictEqual([
      '0 ms',
      '840 ms',
      '2.4 s',
      '10.0 s',
      '1 min',
    ]);
  });

  it('write counts with their noun', () => {
    expect([plural(1, 'file'), plural(0, 'file'), plural(12_000, 'file')]).toStrictEqual([
      '1 file',
      '0 files',
      '12,000 files',
    ]);
  });
});
