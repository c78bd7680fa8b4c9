// What the chunks of a markdown text promise beside their offsets, held against models that are slow and plain.
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
const RUNS = { numRuns: 1_000 };

const cell = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
const table = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const cells = fc.array(cell, { minLength: columns, maxLength: columns });
  return fc.record({ header: cells, rows: fc.array(cells, { minLength: 1, maxLength: 30 }) });
});
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

describe('chunks of a markdown text', () => {
  it('know the header of their table: it stands in them, or beside them when they go on with the rows', () => {
    const texts = fc.record({ before: words, table, after: words, sizes });
    const holds = fc.property(texts, ({ before, table: { header, rows }, after, sizes }) => {
      const top = `${line(header)}\n${line(header.map(() => '---'))}`;
      const start = before.length + 2;
      const rowsStart = start + top.length + 1;
      const text = `${before}\n\n${top}\n${rows.map(line).join('\n')}\n\n${after}\n`;
      const rowsEnd = text.lastIndexOf(after) - 2;
      for (const piece of chunk(text, { strategy: 'markdown', ...sizes })) {
        if (piece.prefix !== undefined) assert.equal(piece.prefix, top);
        const hasRows = piece.end > rowsStart && piece.start < rowsEnd;
        if (!hasRows || top.length > sizes.chunkSize) continue;
        assert.ok(piece.start <= start || piece.prefix === top, `chunk ${piece.index} has rows and no header`);
      }
    });
    fc.assert(holds, RUNS);
  });

  it('begin and end with whole rows wherever a row fits', () => {
    const holds = fc.property(table, sizes, ({ header, rows }, sizes) => {
      const lines = [header, header.map(() => '---'), ...rows].map(line);
      if (lines.some((row) => row.length >= sizes.chunkSize)) return;
      const text = `${lines.join('\n')}\n`;
      const whole = new Set(lines);
      for (const { text: cut } of chunk(text, { strategy: 'markdown', ...sizes }))
        for (const row of cut.split('\n')) assert.ok(whole.has(row), JSON.stringify(row));
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

  it('name the headings above their beginning, whatever they are cut by', () => {
    const holds = fc.property(sections, sizes, fc.constantFrom(...strategies), (parts, sizes, strategy) => {
      for (const { start, headingPath } of chunk(textOf(parts), { strategy, ...sizes }))
        assert.deepEqual(headingPath, pathAt(parts, start));
    });
    fc.assert(holds, RUNS);
  });

  it('never reach from one section into the next, but for headings without a text of their own', () => {
    const holds = fc.property(sections, sizes, (parts, sizes) => {
      const spans = parts.map((part, index) => {
        const start = index === 0 ? 0 : textOf(parts.slice(0, index)).length + 2;
        return { part, start, end: start + textOf([part]).length };
      });
      for (const { start, end } of chunk(textOf(parts), { strategy: 'markdown', ...sizes })) {
        const touched = spans.filter((span) => span.start < end && span.end > start);
        for (const { part } of touched.slice(0, -1)) assert.deepEqual(part.body, []);
      }
    });
    fc.assert(holds, RUNS);
  });

  it('name the page they begin on, also where pages are empty', () => {
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
        assert.equal(page, spans.findLast((span) => span.start <= start && span.end > span.start)?.page ?? null);
    });
    fc.assert(holds, RUNS);
  });
});

describe('chunks by sentences', () => {
  const sentence = words.map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`);

  it('end with a sentence wherever one fits', () => {
    const holds = fc.property(fc.array(sentence, { minLength: 1, maxLength: 30 }), sizes, (sentences, sizes) => {
      // Two letters or fewer before the full stop are taken for an abbreviation.
      if (sentences.some((one) => one.length >= sizes.chunkSize / 2 || /(^| )\w{1,6}\.$/.test(one))) return;
      const pieces = [...chunk(sentences.join(' '), { strategy: 'sentence', ...sizes })];
      for (const { text } of pieces) assert.ok(text.endsWith('.'), JSON.stringify(text));
    });
    fc.assert(holds, RUNS);
  });
});

describe('chunks of a fixed size', () => {
  it('are as long as they may be, white space at their ends aside, and the same every time', () => {
    const letters = fc.stringMatching(/^[a-z]{1,600}$/);
    const holds = fc.property(letters, sizes, (text, sizes) => {
      const cut = (): Chunk[] => [...chunk(text, { strategy: 'fixed', ...sizes })];
      const pieces = cut();
      for (const piece of pieces.slice(0, -1)) assert.equal(piece.text.length, sizes.chunkSize);
      assert.deepEqual(cut(), pieces);
    });
    fc.assert(holds, RUNS);
  });
});
