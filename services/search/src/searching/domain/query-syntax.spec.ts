import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { readQuery, withoutSyntax } from './query-syntax.js';

fc.configureGlobal({ seed: testSeed() });

describe('the syntax of a query', () => {
  it('reads phrases, excluded words and excluded phrases', () => {
    expect(readQuery('big "red fox" -dog -"lazy cat" night')).toStrictEqual({
      wanted: 'big "red fox"     night',
      phrases: ['red fox'],
      excluded: ['dog', 'lazy cat'],
    });
  });

  it('reads typographic quotes as straight ones', () => {
    for (const query of ['“red fox”', '„red fox“', '«red fox»', '»red fox«', '"red fox”', '＂red fox＂'])
      expect([query, readQuery(query).phrases]).toStrictEqual([query, ['red fox']]);
  });

  it('extends an exclusion to the next white space or quote', () => {
    expect(readQuery('x -state-of-the-art,now y').excluded).toStrictEqual(['state-of-the-art,now']);
    expect(readQuery('x -one"two three"')).toMatchObject({ excluded: ['one'], phrases: ['two three'] });
    expect(readQuery('x -5 -été -機械').excluded).toStrictEqual(['5', 'été', '機械']);
  });

  it('reads as punctuation: other minuses, a quote without a second one, and a quote after a digit', () => {
    const plain = [
      'state-of-the-art',
      'a - b',
      '--x',
      'a -',
      '-',
      '-(x)',
      'a–b',
      '"',
      'say "so',
      '-"so',
      '19" by 24" rack',
    ];
    for (const query of plain) expect(readQuery(query)).toStrictEqual({ wanted: query, phrases: [], excluded: [] });
    expect(readQuery('19" "red rack"').phrases).toStrictEqual(['red rack']);
    expect(readQuery('"windows 95"').phrases).toStrictEqual(['windows 95']);
  });

  it('reads a text of more than 32 words as it is, phrases and exclusions not counted', () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ');
    const query = (count: number) => `${words(count)} "a red fox" -dog`;
    expect(readQuery(query(32))).toMatchObject({ phrases: ['a red fox'], excluded: ['dog'] });
    expect(readQuery(query(33))).toStrictEqual({ wanted: query(33), phrases: [], excluded: [] });
  });

  it('changes no query without quotes and minuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const query = text.replaceAll(/["“”„‟«»＂-]/g, ' ');
        expect(readQuery(query)).toStrictEqual({ wanted: query, phrases: [], excluded: [] });
      }),
    );
  });

  it('answers for any text, and takes every phrase and exclusion from the query', () => {
    const pieces = fc.constantFrom('"', '”', '-', ' ', '\n', 'a', '5', '機', '😀', '\ud83d', '\0', ',');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (some) => {
        const query = some.join('');
        const { wanted, phrases, excluded } = readQuery(query);
        for (const text of [...phrases, ...excluded]) expect(query).toContain(text);
        expect(wanted.length).toBeLessThanOrEqual(query.length + excluded.length);
        expect(phrases.every((text) => wanted.includes(text))).toBe(true);
      }),
    );
  });

  it('can be removed from any text, and the words stay', () => {
    const words = analyzerOf('english');
    const pieces = fc.constantFrom('"', '”', '-', ' ', '\n', 'a', '5', '機', '😀', ',');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (some) => {
        const query = some.join('');
        const text = withoutSyntax(query);
        expect(readQuery(text)).toStrictEqual({ wanted: text, phrases: [], excluded: [] });
        expect([...words.wordsOfText(text)]).toStrictEqual([...words.wordsOfText(query)]);
      }),
    );
  });

  it('takes time proportional to the length of the query', () => {
    // Quadratic work would exceed the time limit of tests.
    for (const piece of ['"', '-"', ' -', '- "', '-a"', ' -a', '5"']) readQuery(piece.repeat(200_000));
  });
});
