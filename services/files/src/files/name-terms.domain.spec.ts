import { describe, expect, it } from '@jest/globals';
import { foldName, nameTermsOf } from './name-terms.domain.js';

describe('the names that a list searches', () => {
  it('fold case and forms as queries do, in any script', () => {
    for (const [name, query] of [
      ['Annual REPORT.pdf', 'annual report'],
      ['ОТЧЁТ.docx', 'отчёт'],
      ['cafe\u0301.txt', 'CAFÉ'],
    ] as const) {
      expect(foldName(name)).toContain(nameTermsOf(query)?.name ?? '?');
    }
  });

  it('are looked up by runs of three characters, or by fewer if there are no more', () => {
    expect(nameTermsOf('ABCD')?.grams).toStrictEqual(['abc', 'bcd']);
    expect(nameTermsOf('é😀')?.grams).toStrictEqual(['é😀']);
    expect(nameTermsOf(' ! ')?.grams).toStrictEqual(['!']);
  });

  it('are not searched for blank text', () => {
    expect(nameTermsOf(' ')).toBeNull();
  });
});
