import { describe, expect, it } from '@jest/globals';
import { utf8Order } from '@kiln/storage';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { pageOfRange, rangeToEnd, splitRange } from './listing-range.js';

const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });

describe('the ranges of a listing', () => {
  it('cover each key that was not listed exactly once, whatever the listing is split at, and however often', () => {
    const property = fc.property(
      fc.array(key),
      fc.array(key),
      fc.array(key),
      fc.option(key),
      (keys, first, second, position) => {
        const ranges = splitRange(rangeToEnd(position, 'token'), first).flatMap((range, at) =>
          at % 2 === 0 ? [range] : splitRange(range, second),
        );
        const covering = (listed: string) =>
          ranges.filter(({ after, upTo, position: last }) => {
            return utf8Order(listed, last ?? after) > 0 && (upTo === null || utf8Order(listed, upTo) <= 0);
          });
        for (const listed of keys)
          expect(covering(listed).length).toBe(position !== null && utf8Order(listed, position) <= 0 ? 0 : 1);
        expect(ranges.map(({ cursor }) => cursor)).toStrictEqual(ranges.map((_, at) => (at === 0 ? 'token' : null)));
      },
    );
    fc.assert(property, { seed: testSeed() });
  });

  it('are at most 32, of about the same number of keys', () => {
    const keys = Array.from({ length: 320 }, (_, at) => String(at).padStart(3, '0'));
    const ranges = splitRange(rangeToEnd(null, null), keys.toReversed());
    expect(ranges.length).toBe(32);
    expect(ranges.slice(0, 3).map(({ after, upTo }) => [after, upTo])).toStrictEqual([
      ['', '010'],
      ['010', '020'],
      ['020', '030'],
    ]);
    expect(ranges.at(-1)).toStrictEqual({ ...rangeToEnd(null, null), after: '310' });
  });

  it('end where a page contains a later key, and not at a key whose bytes are unknown', () => {
    const range = { ...rangeToEnd(null, null), upTo: 'b' };
    const page = (...keys: string[]) => ({ objects: keys.map((one) => ({ key: one })), next: 'token' });
    expect(pageOfRange(page('a', 'b'), range)).toStrictEqual(page('a', 'b'));
    expect(pageOfRange(page('a', '\ud800', 'b'), range)).toStrictEqual(page('a', '\ud800', 'b'));
    expect(pageOfRange(page('a', 'b', 'c', 'd'), range)).toStrictEqual({ ...page('a', 'b'), next: null });
    expect(pageOfRange(page('c'), range)).toStrictEqual({ objects: [], next: null });
  });
});
