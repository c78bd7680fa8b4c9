import { expect, it } from '@jest/globals';
import { chunk } from '@kiln/chunks/chunk';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { joinChunks, placeOf } from './join-chunks.js';

fc.configureGlobal({ seed: testSeed() });

const strategies = ['recursive', 'markdown', 'sentence', 'fixed'] as const;
const word = fc.stringMatching(/^[a-zé🔥.]{1,12}$/u);

it('any consecutive chunks of a text are joined to the text they were cut from, apart from white space between them, and each part has its place', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(...strategies),
      fc.constantFrom(' ', '\n', '\n\n'),
      fc.nat(25),
      (words, strategy, space, chunkOverlap) => {
        const text = words.join(space);
        const chunks = [...chunk(text, { strategy, chunkSize: 50, chunkOverlap })];
        for (let from = 0; from < chunks.length; from += 3) {
          const some = chunks
            .slice(from, from + 4)
            .map(({ headingPath: headings, ...rest }) => ({ ...rest, headings }));
          const cut = text.slice(some[0]?.start, some.at(-1)?.end);
          const joined = joinChunks(some);
          expect(joined.text.replace(/\s+/g, '')).toBe(cut.replace(/\s+/g, ''));
          for (const { 0: part, index } of joined.text.matchAll(/\S{1,3}/g)) {
            const { start, end } = placeOf(joined.places, index, index + part.length);
            expect(text.slice(start, end)).toBe(part);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('chunks whose offsets do not fit their text are all kept', () => {
  const about = { index: 0, start: 0, end: 5, page: null, headings: [], lines: [] };
  expect(
    joinChunks([
      { ...about, text: 'one two' },
      { ...about, text: 'three' },
    ]).text,
  ).toBe('one two\nthree');
});

it('the header of a table stands before the rows that continue it only once', () => {
  const header = '| a |\n|---|\n';
  const rows = ['| 1 |\n', '| 2 |\n', '| 3 |\n'];
  const text = header + rows.join('');
  const first = { index: 0, start: 0, end: 24, text: text.slice(0, 24), page: null, headings: [], lines: [] };
  const second = {
    index: 1,
    start: 18,
    end: 30,
    text: header + text.slice(18, 30),
    page: null,
    headings: [],
    lines: [],
  };
  expect(joinChunks([first, second]).text).toBe(text);
  const { text: joined, places } = joinChunks([second]);
  const at = joined.indexOf('| 3 |');
  expect(placeOf(places, at, at + 5)).toStrictEqual({
    start: text.indexOf('| 3 |'),
    end: text.indexOf('| 3 |') + 5,
    page: null,
  });
});
