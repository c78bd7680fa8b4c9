import { describe, expect, it } from '@jest/globals';
import { makeSnippet } from './snippet.js';

const weights = new Map([
  ['fox', 2],
  ['rare', 9],
  ['学習', 3],
]);

describe('makeSnippet', () => {
  it('shows the part with the words of the highest weight', () => {
    const snippet = makeSnippet(`A fox. ${'Filler words. '.repeat(60)}A rare fox. ${'More. '.repeat(80)}`, weights);
    expect(snippet).toMatch(/^… .*A <mark>rare<\/mark> <mark>fox<\/mark>\. More\..* …$/);
  });

  it('escapes the whole text, also inside marks and at cuts', () => {
    const snippet = makeSnippet(`${'<b>"x"&\'</b> '.repeat(30)}fox${' <i>&amp;</i>'.repeat(60)}`, weights);
    expect(snippet.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
  });

  it('marks overlapping pairs of characters once', () => {
    expect(makeSnippet('機械学習', weights)).toBe('機械<mark>学習</mark>');
  });

  it('never splits a character', () => {
    for (let lead = 0; lead < 4; lead++)
      expect(makeSnippet('x'.repeat(lead) + '😀'.repeat(400), weights).isWellFormed()).toBe(true);
  });
});
