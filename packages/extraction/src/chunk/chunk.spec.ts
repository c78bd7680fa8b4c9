import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    { numRuns: 1500 },
  );
}

describe('chunk', () => {
  it('gives offsets that cut exactly the chunk out of the text, numbered from 0', () => {
    holds((chunks, text) => {
      for (const [index, { start, end, text: cut, index: number }] of chunks.entries())
        assert.deepEqual([number, cut], [index, text.slice(start, end)]);
    });
  });

  it('loses no character but white space', () => {
    holds((chunks, text) => {
      let covered = 0;
      for (const { start, end } of chunks) {
        assert.equal(text.slice(covered, Math.max(start, covered)).trim(), '');
        covered = end;
      }
      assert.equal(text.slice(covered).trim(), '');
    });
  });

  it('keeps every chunk within the size, never empty, and always moves on', () => {
    holds((chunks, _text, { chunkSize }) => {
      for (const [index, { start, end, text }] of chunks.entries()) {
        assert.ok(text.trim() !== '' && text.length <= chunkSize);
        const before = chunks[index - 1];
        assert.ok(before === undefined || (start > before.start && end > before.end));
      }
    });
  });

  it('repeats no more than the overlap', () => {
    holds((chunks, _text, { chunkOverlap }) => {
      for (const [index, { start }] of chunks.entries()) {
        const before = chunks[index - 1];
        assert.ok(before === undefined || before.end - start <= chunkOverlap);
      }
    });
  });

  it('never splits a surrogate pair', () => {
    holds((chunks) => {
      for (const { text } of chunks) assert.ok(text.isWellFormed());
    });
  });

  it('repeats text where an overlap was asked for', () => {
    const text = 'word '.repeat(400).trim();
    const chunks = [...chunk(text, { strategy: 'recursive', chunkSize: 100, chunkOverlap: 20 })];
    for (const [index, { start }] of chunks.slice(1).entries()) assert.ok((chunks[index]?.end ?? 0) - start >= 14);
  });

  it('ends chunks at paragraphs, else at sentences, else at words', () => {
    const paragraphs = [
      ...chunk(`${'a'.repeat(60)}\n\n${'b'.repeat(60)}`, { strategy: 'recursive', chunkSize: 100, chunkOverlap: 0 }),
    ];
    assert.deepEqual(
      paragraphs.map(({ text }) => text),
      ['a'.repeat(60), 'b'.repeat(60)],
    );
    const [first] = chunk('Dr. Who met e.g. nobody in there. Then he left the place at once.', {
      strategy: 'sentence',
      chunkSize: 50,
      chunkOverlap: 0,
    });
    assert.equal(first?.text, 'Dr. Who met e.g. nobody in there.');
  });

  it('names the headings above each chunk and takes no comment in code for one', () => {
    const text = '# A\n\none\n\n## B\n\n```sh\n# not a heading\n```\n\n# C\n\nlast';
    const chunks = [...chunk(text, { strategy: 'markdown', chunkSize: 100, chunkOverlap: 0 })];
    assert.deepEqual(
      chunks.map(({ headingPath }) => headingPath),
      [['A'], ['A', 'B'], ['C']],
    );
  });

  it('hands the header of a table to the chunks that continue it, outside their text', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `| ${row} | value ${row} |`);
    const text = ['# Table', '', '| id | name |', '| --- | --- |', ...rows, '', 'after'].join('\n');
    const chunks = [...chunk(text, { strategy: 'markdown', chunkSize: 100, chunkOverlap: 20 })];
    const continued = chunks.filter(({ prefix }) => prefix !== undefined);
    assert.ok(continued.length >= 3);
    assert.ok(
      continued.every(
        ({ prefix, text }) => prefix === '| id | name |\n| --- | --- |' && text.startsWith('| ') && text.endsWith(' |'),
      ),
    );
  });

  it('tells the page a chunk begins on', () => {
    const pages = [
      { page: 1, start: 0, end: 50 },
      { page: 2, start: 50, end: 50 },
      { page: 3, start: 52, end: 100 },
    ];
    const text = `${'x'.repeat(50)}\n\n${'y'.repeat(48)}`;
    assert.deepEqual(
      [...chunk(text, { strategy: 'recursive', chunkSize: 60, chunkOverlap: 0, pages })].map(({ page }) => page),
      [1, 3],
    );
  });

  it('refuses sizes it could not keep', () => {
    assert.throws(() => [...chunk('x', { strategy: 'fixed', chunkSize: 1, chunkOverlap: 0 })], RangeError);
    assert.throws(() => [...chunk('x', { strategy: 'fixed', chunkSize: 10, chunkOverlap: 6 })], RangeError);
  });

  it('takes time in proportion to the text, whatever it is made of', () => {
    const materials = ['Plain words in a sentence. ', 'x', '\n', ' ', '| a | b |\n', '# h\n', '😀', '.', '"', '```\n'];
    for (const strategy of strategies) {
      for (const material of materials) {
        const once = timeOf(material.repeat(Math.ceil(50_000 / material.length)), strategy);
        const eightTimes = timeOf(material.repeat(Math.ceil(400_000 / material.length)), strategy);
        // Quadratic work would take 64 times as long; the constant forgives a busy machine.
        assert.ok(
          eightTimes < once * 24 + 300,
          `${strategy} of ${JSON.stringify(material)}: ${once} ms, then ${eightTimes} ms`,
        );
      }
    }
  });
});

/** Milliseconds of CPU time, which others on the machine do not lengthen as they do waiting. */
function timeOf(text: string, strategy: ChunkStrategy): number {
  const started = process.cpuUsage();
  const chunks = chunk(text, { strategy, chunkSize: 1000, chunkOverlap: 200 });
  while (chunks.next().done !== true);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}
