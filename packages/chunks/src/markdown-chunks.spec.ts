// What the chunks of a markdown text promise beside their offsets, held against models that are slow and plain.
import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { chunk, type Chunk, type ChunkStrategy } from './chunk.js';

const strategies: readonly ChunkStrategy[] = ['recursive', 'markdown', 'sentence', 'fixed'];
const word = fc.stringMatching(/^[a-z]{1,9}$/);
const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '));
const sizes = fc.integer({ min: 20, max: 200 }).chain((chunkSize) =>
  fc.record({
    chunkSize: fc.constant(chunkSize),
    chunkOverlap: fc.integer({ min: 0, max: Math.floor(chunkSize / 2) }),
  }),
);
const RUNS = { numRuns: 1_000, seed: testSeed() };

const cell = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
const table = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const cells = fc.array(cell, { minLength: columns, maxLength: columns });
  return fc.record({ header: cells, rows: fc.array(cells, { minLength: 1, maxLength: 30 }) });
});
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

describe('chunks of a markdown text', () => {
  it('have the header of their table in their text, or as a prefix when they continue the table', () => {
    const texts = fc.record({ before: words, table, after: words, sizes });
    const holds = fc.property(texts, ({ before, table: { header, rows }, after, sizes }) => {
      const top = `${line(header)}\n${line(header.map(() => '---'))}`;
      const start = before.length + 2;
      const rowsStart = start + top.length + 1;
      const text = `${before}\n\n${top}\n${rows.map(line).join('\n')}\n\n${after}\n`;
      const rowsEnd = text.lastIndexOf(after) - 2;
      for (const piece of chunk(text, { strategy: 'markdown', ...sizes })) {
        if (piece.prefix !== undefined) expect(piece.prefix).toBe(top);
        const hasRows = piece.end > rowsStart && piece.start < rowsEnd;
        if (!hasRows || top.length > sizes.chunkSize) continue;
        if (piece.start > start) expect(piece.prefix).toBe(top);
      }
    });
    fc.assert(holds, RUNS);
  });

  it('begin and end with complete rows if a row fits', () => {
    const holds = fc.property(table, sizes, ({ header, rows }, sizes) => {
      const lines = [header, header.map(() => '---'), ...rows].map(line);
      if (lines.some((row) => row.length >= sizes.chunkSize)) return;
      const text = `${lines.join('\n')}\n`;
      const whole = new Set(lines);
      for (const { text: cut } of chunk(text, { strategy: 'markdown', ...sizes }))
        expect(cut.split('\n').filter((row) => !whole.has(row))).toStrictEqual([]);
    });
    fc.assert(holds, RUNS);
  });

  const section = fc.record({
    level: fc.integer({ min: 1, max: 4 }),
    title: words,
    body: fc.array(words, { maxLength: 6 }),
  });
  const sections = fc.array(section, { minLength: 1, maxLength: 8 });
  type Section = typeof section extends fc.Arbitrary<infer Value> ? Value : never;
  const textOf = (parts: readonly Section[]) =>
    parts.map(({ level, title, body }) => [`${'#'.repeat(level)} ${title}`, ...body].join('\n\n')).join('\n\n');

  /** The headings that stand above an offset, found anew from the beginning each time. */
  function pathAt(parts: readonly Section[], offset: number): string[] {
    let at = 0;
    let stack: Section[] = [];
    for (const part of parts) {
      if (at > offset) break;
      stack = [...stack.filter(({ level }) => level < part.level), part];
      at += textOf([part]).length + 2;
    }
    return stack.map(({ title }) => title);
  }

  it('have the headings above their beginning, with every strategy', () => {
    const holds = fc.property(sections, sizes, fc.constantFrom(...strategies), (parts, sizes, strategy) => {
      for (const { start, headingPath } of chunk(textOf(parts), { strategy, ...sizes }))
        expect(headingPath).toStrictEqual(pathAt(parts, start));
    });
    fc.assert(holds, RUNS);
  });

  it('never extend into the next section, except after a heading without text', () => {
    const holds = fc.property(sections, sizes, (parts, sizes) => {
      const spans = parts.map((part, index) => {
        const start = index === 0 ? 0 : textOf(parts.slice(0, index)).length + 2;
        return { part, start, end: start + textOf([part]).length };
      });
      for (const { start, end } of chunk(textOf(parts), { strategy: 'markdown', ...sizes })) {
        const touched = spans.filter((span) => span.start < end && span.end > start);
        expect(touched.slice(0, -1).filter(({ part }) => part.body.length > 0)).toStrictEqual([]);
      }
    });
    fc.assert(holds, RUNS);
  });

  it('have the page on which they begin, even when pages are empty', () => {
    const pages = fc.array(fc.oneof(words, fc.constant('')), { minLength: 1, maxLength: 12 });
    const holds = fc.property(pages, sizes, fc.constantFrom(...strategies), (texts, sizes, strategy) => {
      let text = '';
      const spans = texts.map((own, index) => {
        if (text !== '' && own !== '') text += '\n\n';
        const start = text.length;
        text += own;
        return { page: index + 1, start, end: text.length };
      });
      for (const { start, page } of chunk(text, { strategy, ...sizes, pages: spans }))
        expect(page).toBe(spans.findLast((span) => span.start <= start && span.end > span.start)?.page ?? null);
    });
    fc.assert(holds, RUNS);
  });
});

describe('chunks by sentences', () => {
  const sentence = words.map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`);

  it('end with a sentence if one fits', () => {
    const holds = fc.property(fc.array(sentence, { minLength: 1, maxLength: 30 }), sizes, (sentences, sizes) => {
      // Two letters or fewer before the full stop are taken for an abbreviation.
      if (sentences.some((one) => one.length >= sizes.chunkSize / 2 || /(^| )\w{1,6}\.$/.test(one))) return;
      const pieces = [...chunk(sentences.join(' '), { strategy: 'sentence', ...sizes })];
      expect(pieces.filter(({ text }) => !text.endsWith('.'))).toStrictEqual([]);
    });
    fc.assert(holds, RUNS);
  });
});

describe('chunks of a fixed size', () => {
  it('have the maximum size, apart from white space at their ends, and are deterministic', () => {
    const letters = fc.stringMatching(/^[a-z]{1,600}$/);
    const holds = fc.property(letters, sizes, (text, sizes) => {
      const cut = (): Chunk[] => [...chunk(text, { strategy: 'fixed', ...sizes })];
      const pieces = cut();
      expect(pieces.slice(0, -1).filter(({ text }) => text.length !== sizes.chunkSize)).toStrictEqual([]);
      expect(cut()).toStrictEqual(pieces);
    });
    fc.assert(holds, RUNS);
  });
});
