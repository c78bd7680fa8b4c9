import { describe, expect, it } from '@jest/globals';
import { retryAfterSeconds } from './retry-after.js';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('Retry-After', () => {
  it.each<[Record<string, string | string[]>, number]>([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': '1.5' }, 1.5],
    [{ 'retry-after': ['7', '8'] }, 7],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, 30],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '9', 'retry-after-ms': '250' }, 0.25],
  ])('of %j is %d seconds', (headers, seconds) => {
    expect(retryAfterSeconds(headers, { now })).toBe(seconds);
  });

  it.each(['', '-5', 'soon', '1e9', 'Sat, 99 Foo'])('of "%s" says nothing', (text) => {
    expect(retryAfterSeconds({ 'retry-after': text }, { now })).toBeUndefined();
    expect(retryAfterSeconds({}, { now })).toBeUndefined();
  });

  it('is at most an hour, or what the caller allows', () => {
    const headers = { 'retry-after': '86400' };
    expect(retryAfterSeconds(headers)).toBe(3_600);
    expect(retryAfterSeconds(headers, { secondsMax: 7_200 })).toBe(7_200);
  });
});
