import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { chunk, type Chunk, type ChunkStrategy } from './chunk.js';

const strategies: readonly ChunkStrategy[] = ['recursive', 'markdown', 'sentence', 'fixed'];

const fragment = fc.oneof(
  fc.constantFrom(
    '# Title\n',
    '\n## Part\n',
    '\n\n',
    '\n',
    ' ',
    '. ',
    'Dr. ',
    '! ',
    '| a | b |\n',
    '| --- | --- |\n',
    '```\n',
    '😀',
    '漢字',
    '。',
    '\t',
    '     ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.lorem({ maxCount: 8 }),
);
const texts = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join('').toWellFormed());
const sizes = fc.integer({ min: 2, max: 120 }).chain((chunkSize) =>
  fc.record({
    chunkSize: fc.constant(chunkSize),
    chunkOverlap: fc.integer({ min: 0, max: Math.floor(chunkSize / 2) }),
  }),
);
const cases = fc.record({ text: texts, sizes, strategy: fc.constantFrom(...strategies) });

function holds(
  promise: (chunks: Chunk[], text: string, sizes: { chunkSize: number; chunkOverlap: number }) => void,
): void {
  fc.assert(
    fc.property(cases, ({ text, sizes, strategy }) => promise([...chunk(text, { strategy, ...sizes })], text, sizes)),
    { numRuns: 1500, seed: testSeed() },
  );
}

describe('chunk', () => {
  it('returns offsets at which the text contains exactly the chunk, numbered from 0', () => {
    holds((chunks, text) => {
      expect(chunks.map(({ index, text: cut }) => [index, cut])).toStrictEqual(
        chunks.map(({ start, end }, index) => [index, text.slice(start, end)]),
      );
    });
  });

  it('leaves out no character except white space', () => {
    holds((chunks, text) => {
      let covered = 0;
      let lost = '';
      for (const { start, end } of chunks) {
        lost += text.slice(covered, Math.max(start, covered)).trim();
        covered = end;
      }
      expect(lost + text.slice(covered).trim()).toBe('');
    });
  });

  it('returns chunks within the size, never empty, each beginning after the previous one', () => {
    holds((chunks, _text, { chunkSize }) => {
      const wrong = chunks.filter(({ start, end, text }, index) => {
        const before = chunks[index - 1];
        const movesOn = before === undefined || (start > before.start && end > before.end);
        return text.trim() === '' || text.length > chunkSize || !movesOn;
      });
      expect(wrong).toStrictEqual([]);
    });
  });

  it('repeats no more than the overlap', () => {
    holds((chunks, _text, { chunkOverlap }) => {
      const repeating = chunks.filter(({ start }, index) => (chunks[index - 1]?.end ?? 0) - start > chunkOverlap);
      expect(repeating).toStrictEqual([]);
    });
  });

  it('never splits a surrogate pair', () => {
    holds((chunks) => {
      expect(chunks.filter(({ text }) => !text.isWellFormed())).toStrictEqual([]);
    });
  });

  it('repeats text when an overlap is requested', () => {
    const text = 'word '.repeat(400).trim();
    const chunks = [...chunk(text, { strategy: 'recursive', chunkSize: 100, chunkOverlap: 20 })];
    for (const [index, { start }] of chunks.slice(1).entries())
      expect((chunks[index]?.end ?? 0) - start).toBeGreaterThanOrEqual(14);
  });

  it('ends chunks at paragraphs, otherwise at sentences, otherwise at words', () => {
    const paragraphs = [
      ...chunk(`${'a'.repeat(60)}\n\n${'b'.repeat(60)}`, { strategy: 'recursive', chunkSize: 100, chunkOverlap: 0 }),
    ];
    expect(paragraphs.map(({ text }) => text)).toStrictEqual(['a'.repeat(60), 'b'.repeat(60)]);
    const [first] = chunk('Dr. Who met e.g. nobody in there. Then he left the place at once.', {
      strategy: 'sentence',
      chunkSize: 50,
      chunkOverlap: 0,
    });
    expect(first?.text).toBe('Dr. Who met e.g. nobody in there.');
  });

  it('returns the headings above each chunk, and does not mistake comments in code for headings', () => {
    const text = '# A\n\none\n\n## B\n\n```sh\n# not a heading\n```\n\n# C\n\nlast';
    const chunks = [...chunk(text, { strategy: 'markdown', chunkSize: 100, chunkOverlap: 0 })];
    expect(chunks.map(({ headingPath }) => headingPath)).toStrictEqual([['A'], ['A', 'B'], ['C']]);
  });

  it.each(['```npm install``` installs it.', `\`\`\`${'x'.repeat(2_000)}\`\`\``, '~~~ ``` ~~~\n~~~'])(
    'finds the headings after code that begins and ends in a line',
    (code) => {
      const text = `# A\n\n${code}\n\n# B\n\nlast`;
      const chunks = [...chunk(text, { strategy: 'markdown', chunkSize: 4_000, chunkOverlap: 0 })];
      expect(chunks.map(({ headingPath }) => headingPath)).toStrictEqual([['A'], ['B']]);
    },
  );

  it('returns the header of a table with chunks that continue it, outside their text', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `| ${row} | value ${row} |`);
    const text = ['# Table', '', '| id | name |', '| --- | --- |', ...rows, '', 'after'].join('\n');
    const chunks = [...chunk(text, { strategy: 'markdown', chunkSize: 100, chunkOverlap: 20 })];
    const continued = chunks.filter(({ prefix }) => prefix !== undefined);
    expect(continued.length).toBeGreaterThanOrEqual(3);
    for (const { prefix, text } of continued) {
      expect(prefix).toBe('| id | name |\n| --- | --- |');
      expect(text).toMatch(/^\| [^]* \|$/);
    }
  });

  it('returns the page on which a chunk begins', () => {
    const pages = [
      { page: 1, start: 0, end: 50 },
      { page: 2, start: 50, end: 50 },
      { page: 3, start: 52, end: 100 },
    ];
    const text = `${'x'.repeat(50)}\n\n${'y'.repeat(48)}`;
    expect(
      [...chunk(text, { strategy: 'recursive', chunkSize: 60, chunkOverlap: 0, pages })].map(({ page }) => page),
    ).toStrictEqual([1, 3]);
  });

  it('refuses invalid sizes', () => {
    expect(() => [...chunk('x', { strategy: 'fixed', chunkSize: 1, chunkOverlap: 0 })]).toThrow(RangeError);
    expect(() => [...chunk('x', { strategy: 'fixed', chunkSize: 10, chunkOverlap: 6 })]).toThrow(RangeError);
  });
});
