import { describe, expect, it } from '@jest/globals';
import { foldName, searchTermsOf, wordsOf } from './search-terms.js';

describe('the terms of the list’s search', () => {
  it('fold case and forms alike in names and queries, in any script', () => {
    for (const [name, query] of [
      ['Annual REPORT.pdf', 'annual report'],
      ['ОТЧЁТ.docx', 'отчёт'],
      ['cafe\u0301.txt', 'CAFÉ'],
    ] as const) {
      expect(foldName(name)).toContain(searchTermsOf(query)?.name ?? '?');
    }
  });

  it('include every word of a content, folded', () => {
    expect([...wordsOf('Straße, ＡＢＣ-7 x_y don’t')]).toStrictEqual(['straße', 'abc', '7', 'x', 'y', 'don', 't']);
    expect([...wordsOf('ABC-7 x_y 1.5')]).toStrictEqual(['abc', '7', 'x', 'y', '1', '5']);
    expect(searchTermsOf('Foo, foo BAR')?.words).toStrictEqual(['foo', 'bar']);
  });

  it('include each pair of characters of a script without spaces', () => {
    const content = new Set(wordsOf('年度報告書 for you'));
    const searched = ['報告', '報告書', '書', '年度 you'].flatMap((query) => searchTermsOf(query)?.words ?? []);
    expect(searched.length).toBeGreaterThanOrEqual(4);
    expect([...content]).toStrictEqual(expect.arrayContaining(searched));
    expect(content).not.toContain('報年');
  });

  it('look a name up by runs of three characters, or by fewer if there are no more', () => {
    expect(searchTermsOf('ABCD')?.grams).toStrictEqual(['abc', 'bcd']);
    expect(searchTermsOf('é😀')?.grams).toStrictEqual(['é😀']);
    expect(searchTermsOf(' ! ')?.grams).toStrictEqual(['!']);
  });

  it('are empty for blank text', () => {
    expect(searchTermsOf(' ')).toBeNull();
  });

  it('are computed in time proportional to the text', () => {
    const startedAt = performance.now();
    for (const text of ['a'.repeat(2_000_000), 'a_'.repeat(1_000_000), '報'.repeat(300_000)]) {
      let longest = 0;
      for (const word of wordsOf(text)) longest = Math.max(longest, word.length);
      expect(longest).toBeLessThanOrEqual(64);
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
