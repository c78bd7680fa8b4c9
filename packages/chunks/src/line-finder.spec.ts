import { expect, it } from '@jest/globals';
import { chunk } from './chunk.js';

const LINE = 20;

it('each chunk has the lines that stand in it, counted from its start, also where chunks overlap and pages change', () => {
  const text = Array.from({ length: 60 }, (_, at) => `line number ${String(at).padStart(7, '0')}`).join('\n');
  const span = (page: number, from: number, to: number) => ({
    page,
    start: from * LINE,
    end: to * LINE,
    lines: Array.from(
      { length: to - from },
      (_, at) => [(from + at) * LINE, (from + at + 1) * LINE - 1, page, from + at, 3, 4] as const,
    ),
  });
  const pages = [span(1, 0, 25), span(2, 25, 25), span(3, 25, 60)];
  for (const one of chunk(text, { strategy: 'recursive', chunkSize: 150, chunkOverlap: 60, pages })) {
    const inside = pages
      .flatMap(({ page, lines }) => lines.map((line) => [page, ...line] as const))
      .filter(([, start, end]) => start < one.end && end > one.start)
      .flatMap(([page, start, end, ...region]) => [page, start - one.start, end - one.start, ...region]);
    expect(inside.length).toBeGreaterThan(0);
    expect(one.lines).toStrictEqual(inside);
  }
});

it('a chunk has at most 500 lines', () => {
  const lines = Array.from({ length: 600 }, (_, at) => [at, at + 1, 0, 0, 1, 1] as const);
  const [one] = chunk('x'.repeat(600), {
    strategy: 'fixed',
    chunkSize: 600,
    chunkOverlap: 0,
    pages: [{ page: 1, start: 0, end: 600, lines }],
  });
  expect(one?.lines).toHaveLength(500 * 7);
});

it('the lines of a page are read a few times each, however many chunks it has', () => {
  const count = 2_000;
  const text = 'line\n'.repeat(count);
  let reads = 0;
  const lines = new Proxy(
    Array.from({ length: count }, (_, at) => [at * 5, at * 5 + 4, 0, 0, 1, 1] as const),
    {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  const pages = [{ page: 1, start: 0, end: text.length, lines }];
  const chunks = [...chunk(text, { strategy: 'recursive', chunkSize: 100, chunkOverlap: 50, pages })];
  expect(chunks.length).toBeGreaterThan(100);
  expect(reads).toBeLessThan(10 * count);
});
