import { describe, expect, it } from '@jest/globals';
import { PART_BYTES_DEFAULT, PART_BYTES_MAX, PARTS_MAX, UPLOAD_BYTES_MAX } from '@kiln/contracts';
import { partBytesOf, partCountOf, partSizeOf, wholeParts } from './part-sizes.domain.js';

const MEBIBYTE = 1024 * 1024;
const cut = { size_bytes: 12 * MEBIBYTE, part_bytes: 5 * MEBIBYTE };
const part = (partNumber: number, sizeBytes = partSizeOf(cut, partNumber)) => ({
  partNumber,
  sizeBytes,
  etag: `tag${partNumber}`,
});

describe('the size of parts', () => {
  it('is the default unless there would be too many, up to the largest file', () => {
    expect(partBytesOf(1, undefined)).toBe(PART_BYTES_DEFAULT);
    for (const size of [PART_BYTES_DEFAULT * PARTS_MAX, PART_BYTES_DEFAULT * PARTS_MAX + 1, UPLOAD_BYTES_MAX]) {
      const bytes = partBytesOf(size, undefined);
      expect(partCountOf({ size_bytes: size, part_bytes: bytes })).toBeLessThanOrEqual(PARTS_MAX);
      expect(bytes).toBeLessThanOrEqual(PART_BYTES_MAX);
    }
  });

  it('is the requested one, and refused if there would be too many', () => {
    const size = 5 * MEBIBYTE * PARTS_MAX;
    expect(partBytesOf(size, 5 * MEBIBYTE)).toBe(5 * MEBIBYTE);
    expect(() => partBytesOf(size + 1, 5 * MEBIBYTE)).toThrow(`Use at least ${6 * MEBIBYTE}`);
  });

  it('adds up to the file', () => {
    expect([1, 2, 3].map((number) => partSizeOf(cut, number) / MEBIBYTE)).toStrictEqual([5, 5, 2]);
    expect(partSizeOf({ size_bytes: 10, part_bytes: 5 }, 2)).toBe(5);
  });
});

describe('stored parts', () => {
  it('are whole in any order, with or without tags', () => {
    const stored = [part(3), part(1), { ...part(2), etag: null }, part(9)];
    const whole = wholeParts(cut, stored, [
      { part_number: 1, etag: '"tag1"' },
      { part_number: 2, etag: 'other' },
    ]);
    expect(whole.map(({ partNumber }) => partNumber)).toStrictEqual([1, 2, 3]);
  });

  it('that are missing or have another size or tag are named', () => {
    expect(() => wholeParts(cut, [part(1), part(3)], [])).toThrow('Part 2 is missing: 2 of 3 parts are stored');
    expect(() => wholeParts(cut, [part(1), part(2, 7), part(3)], [])).toThrow('Part 2 has 7 bytes instead of 5242880');
    const tagged = [{ part_number: 3, etag: 'other' }];
    expect(() => wholeParts(cut, [part(1), part(2), part(3)], tagged)).toThrow('Part 3 was replaced');
  });
});
