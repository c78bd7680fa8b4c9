import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { textLanguages } from '@kiln/contracts';
import { randomNumbers } from '@kiln/testing/seed';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { TermFinder } from './term-finder.js';

const PIECES = [
  ...'dying lying tying skies using aing abed Axes x X1 1x a-b don’t café cafe\u0301 A\u030angstro\u0308m İstanbul ﬁsh'.split(
    ' ',
  ),
  ...'1,000 1.5abc 1,2,3x 12,345x 2026 b12 Ⅻ ½ naïve straße Ünïted THE of running Runs runner yes Yttrium'.split(' '),
  '机械',
  '学',
  '学習x',
  'x学習',
  'ไทย',
  '한국어',
  '😀',
  '\ud83d',
  '\ude00',
  'мир',
  'красивая',
  'häuser Häusern ångström elezione città canções lernenden'.replaceAll(' ', '-'),
  'niños-acciones-ouvrières-maisons-huizen-talossa-házakban-ședințele',
  'Мира',
  'β-cell',
  'αβ',
  '\u0301',
  '\0',
  '__',
  'ー',
];
const GLUE = [' ', ' ', ' ', '', '-', '.', ',', '\n', '’', '<'];

describe('TermFinder', () => {
  it.each(textLanguages)('finds the same tokens as the analyzer, in any text and for any terms: %s', (language) => {
    const analyzer = analyzerOf(language);
    const random = randomNumbers(11);
    const pick = (from: readonly string[]) => from[random(from.length)] ?? '';
    const different: string[] = [];
    for (let round = 0; round < 1_000; round++) {
      const text = Array.from({ length: 1 + random(30) }, () => pick(PIECES) + pick(GLUE)).join('');
      const tokens = [...analyzer.tokensOfText(text)];
      const all = tokens.map(({ term }) => term);
      const terms = new Set([...all.filter(() => random(3) === 0), 'die', 'run', 'e']);
      const expected = tokens.filter(({ term }) => terms.has(term));
      if (!isDeepStrictEqual(new TermFinder(analyzer, terms).find(text), expected)) different.push(text);
    }
    expect(different).toStrictEqual([]);
  });

  it('takes time proportional to the length of the text', () => {
    // Quadratic work would exceed the time limit of tests.
    for (const text of ['1,'.repeat(600_000) + 'a', '1'.repeat(1_200_000) + 'a', 'aé'.repeat(600_000)]) {
      new TermFinder(analyzerOf('english'), ['a']).find(text);
    }
  });
});
