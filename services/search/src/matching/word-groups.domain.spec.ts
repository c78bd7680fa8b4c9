import { describe, expect, it } from '@jest/globals';
import { wordGroupsOf } from './word-groups.domain.js';

describe('the words of a text', () => {
  it('are groups of one term each, without repeats and stop words', () => {
    expect(wordGroupsOf('The annual Reports of the REPORT', 'english')).toStrictEqual([['annual'], ['report']]);
    expect(wordGroupsOf('the', 'english')).toStrictEqual([]);
    expect(wordGroupsOf('" - "', 'english')).toStrictEqual([]);
  });

  it('belong to the language', () => {
    expect(wordGroupsOf('the Häuser', 'german')).toStrictEqual([['de:the'], ['de:haus']]);
  });

  it('are found in each spelling of a compound', () => {
    expect(wordGroupsOf('e-mail', 'english')).toStrictEqual([
      ['e', 'email'],
      ['mail', 'email'],
    ]);
    expect(wordGroupsOf('iPhone15', 'english')).toStrictEqual([
      ['iphone15', 'iphon'],
      ['iphone15', '15'],
    ]);
  });

  it('are not found by a part alone', () => {
    expect(wordGroupsOf('b15', 'english')).toStrictEqual([['b15']]);
    expect(wordGroupsOf('state-of-the-art', 'english')).toStrictEqual([['state'], ['art']]);
  });

  it('are pairs of characters in scripts without spaces', () => {
    expect(wordGroupsOf('報告書', 'english')).toStrictEqual([['報告'], ['告書']]);
  });
});
