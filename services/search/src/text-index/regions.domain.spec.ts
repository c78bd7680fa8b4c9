import { describe, expect, it } from '@jest/globals';
import { pageLinesOf, regionsOfChunk, regionsOfQuote } from './regions.domain.js';

/** Lines of 40 characters in a column, 300 units apart. */
const column = (page: number, x: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => [
    page,
    (from + at) * 40,
    (from + at + 1) * 40,
    x,
    1_000 + at * 300,
    4_000,
    250,
  ]);
const chunkOf = (lines: number[][], start = 0, text = 'x') => ({
  text,
  start,
  end: start + 10_000,
  lines: lines.flat(),
});

describe('the regions of a chunk', () => {
  it('are those of its paragraphs and columns, on each page', () => {
    const lines = [...column(1, 500, 3), ...column(1, 5_500, 2, 3), ...column(2, 500, 1, 5)];
    expect(regionsOfChunk(chunkOf(lines))).toStrictEqual([
      { page: 1, x: 0.05, y: 0.1, width: 0.4, height: 0.085 },
      { page: 1, x: 0.55, y: 0.1, width: 0.4, height: 0.055 },
      { page: 2, x: 0.05, y: 0.1, width: 0.4, height: 0.025 },
    ]);
  });

  it('have at most one and a half times the area of its lines', () => {
    const ragged = column(1, 500, 20).map(([page, start, end, x, y, width, height], at) =>
      [page, start, end, x, y, (width ?? 0) - (at % 5) * 200, height].map(Number),
    );
    const area = ragged.reduce((sum, [, , , , , width = 0, height = 0]) => sum + width * height, 0) / 100_000_000;
    const regions = regionsOfChunk(chunkOf(ragged));
    const shown = regions.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(regions).toHaveLength(1);
    expect(shown / area).toBeLessThanOrEqual(1.5);
  });

  it('are one for each page if there would be more than 50', () => {
    const cells = Array.from({ length: 60 }, (_, at) => [
      1 + (at % 2),
      at,
      at + 1,
      (at % 6) * 1_600,
      at * 160,
      100,
      50,
    ]);
    const regions = regionsOfChunk(chunkOf(cells.toSorted(([one = 0], [other = 0]) => one - other)));
    expect(regions.map(({ page }) => page)).toStrictEqual([1, 2]);
  });

  it('are none without lines', () => {
    expect(regionsOfChunk({ text: 'x', start: 0, end: 1, lines: [] })).toStrictEqual([]);
  });
});

describe('the regions of a quote', () => {
  const lines = pageLinesOf([chunkOf(column(1, 500, 4), 100)]);

  it('are its lines, cut where it begins and ends, with room for a letter and a half', () => {
    const [first, second, ...others] = regionsOfQuote(lines, { start: 120, end: 160 });
    expect(others).toStrictEqual([]);
    // 20 of 40 characters, each 100 units wide.
    expect(first).toStrictEqual({ page: 1, x: 0.235, y: 0.1, width: 0.215, height: 0.025 });
    expect(second).toStrictEqual({ page: 1, x: 0.05, y: 0.13, width: 0.215, height: 0.025 });
  });

  it('are joined where whole lines follow each other', () => {
    expect(regionsOfQuote(lines, { start: 100, end: 260 })).toStrictEqual([
      { page: 1, x: 0.05, y: 0.1, width: 0.4, height: 0.115 },
    ]);
  });

  it('are whole lines of text that runs to the left', () => {
    const arabic = pageLinesOf([chunkOf(column(1, 500, 1), 0, 'الفرن ساخن')]);
    expect(regionsOfQuote(arabic, { start: 5, end: 10 })).toStrictEqual([
      { page: 1, x: 0.05, y: 0.1, width: 0.4, height: 0.025 },
    ]);
  });

  it('count a line once that two chunks repeat', () => {
    const two = pageLinesOf([chunkOf(column(1, 500, 2), 100), chunkOf([[1, -40, 0, 500, 1_300, 4_000, 250]], 180)]);
    expect(two).toHaveLength(2);
  });
});
