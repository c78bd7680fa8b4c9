import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { PAGE_BYTES_MAX, fittingItems, pageOf } from './page.js';
import { decodeCursor } from './pagination.js';

describe('a page', () => {
  const scope = 'rows:t';
  const page = (rows: { id: number; text: string }[], limit: number) =>
    pageOf(rows, { limit, scope, view: ({ text }) => ({ text }), keyset: ({ id }) => [id] });
  const after = (cursor: string | null) =>
    cursor === null ? null : decodeCursor(scope, cursor, z.tuple([z.int()]))[0];
  const rowsOf = (count: number, text: string) => Array.from({ length: count }, (_, id) => ({ id, text }));

  it('of fewer rows than the limit holds them all, and has no cursor', () => {
    for (const count of [0, 1, 3]) {
      const { items, next_cursor } = page(rowsOf(count, 'x'), 3);
      expect([items.length, next_cursor]).toStrictEqual([count, null]);
    }
  });

  it('ends at the limit, with a cursor after its last row', () => {
    const { items, next_cursor } = page(rowsOf(4, 'x'), 3);
    expect([items.length, after(next_cursor)]).toStrictEqual([3, 2]);
  });

  it.each([
    ['x', 10_000],
    ['ü', 5_000],
    ['漢', 5_000],
    ['\u0001', 5_000],
  ])('ends before it outgrows a message, with a cursor after its last row, if its texts repeat %j', (text, count) => {
    const { items, next_cursor } = page(rowsOf(201, text.repeat(count)), 200);
    const bytes = Buffer.byteLength(JSON.stringify(items));
    const bytesOfOne = Buffer.byteLength(JSON.stringify(items[0])) + 1;
    expect(bytes).toBeLessThanOrEqual(PAGE_BYTES_MAX);
    expect(bytes + bytesOfOne).toBeGreaterThan(PAGE_BYTES_MAX);
    expect(after(next_cursor)).toBe(items.length - 1);
  });

  it('cut by its bytes has a cursor although no row is left beyond the limit', () => {
    const { items, next_cursor } = page(rowsOf(3, 'x'.repeat(400_000)), 3);
    expect([items.length, after(next_cursor)]).toStrictEqual([2, 1]);
  });

  it('holds at least one row', () => {
    expect(fittingItems(['x'.repeat(2_000_000), 'y'])).toHaveLength(1);
  });
});
