import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldName, searchTermsOf, wordsOf } from './search-terms.js';

describe('the terms of the list’s search', () => {
  it('fold case and forms alike in names and queries, in any script', () => {
    for (const [name, query] of [
      ['Annual REPORT.pdf', 'annual report'],
      ['ОТЧЁТ.docx', 'отчёт'],
      ['cafe\u0301.txt', 'CAFÉ'],
    ] as const) {
      assert.ok(foldName(name).includes(searchTermsOf(query)?.name ?? '?'), name);
    }
  });

  it('find every word of a content, whole, folded', () => {
    assert.deepEqual([...wordsOf('Straße, ＡＢＣ-7 x_y don’t')], ['straße', 'abc', '7', 'x', 'y', 'don', 't']);
    assert.deepEqual(searchTermsOf('Foo, foo BAR')?.words, ['foo', 'bar']);
  });

  it('find each two characters of a script without spaces', () => {
    const content = new Set(wordsOf('年度報告書 for you'));
    for (const query of ['報告', '報告書', '書', '年度 you']) {
      for (const word of searchTermsOf(query)?.words ?? []) assert.ok(content.has(word), `${query}: ${word}`);
    }
    assert.ok(!content.has('報年'));
  });

  it('look a name up by runs of three characters, or by all that there is', () => {
    assert.deepEqual(searchTermsOf('ABCD')?.grams, ['abc', 'bcd']);
    assert.deepEqual(searchTermsOf('é😀')?.grams, ['é😀']);
    assert.deepEqual(searchTermsOf(' ! ')?.grams, ['!']);
  });

  it('are none for blank text', () => {
    assert.equal(searchTermsOf(' '), null);
  });

  it('take time in proportion to the text', () => {
    const startedAt = performance.now();
    for (const text of ['a'.repeat(2_000_000), 'a_'.repeat(1_000_000), '報'.repeat(300_000)]) {
      for (const word of wordsOf(text)) assert.ok(word.length <= 64);
    }
    assert.ok(performance.now() - startedAt < 10_000);
  });
});
