import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeSnippet } from './snippet.js';

const weights = new Map([
  ['fox', 2],
  ['rare', 9],
  ['学習', 3],
]);

describe('makeSnippet', () => {
  it('shows the part that holds the weightiest words', () => {
    const snippet = makeSnippet(`A fox. ${'Filler words. '.repeat(60)}A rare fox. ${'More. '.repeat(80)}`, weights);
    assert.match(snippet, /^… .*A <mark>rare<\/mark> <mark>fox<\/mark>\. More\..* …$/);
  });

  it('escapes everything of the text, also inside marks and at cuts', () => {
    const snippet = makeSnippet(`${'<b>"x"&\'</b> '.repeat(30)}fox${' <i>&amp;</i>'.repeat(60)}`, weights);
    assert.doesNotMatch(snippet.replaceAll(/<\/?mark>/g, ''), /[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
  });

  it('marks overlapping pairs of characters once', () => {
    assert.equal(makeSnippet('機械学習', weights), '機械<mark>学習</mark>');
  });

  it('never cuts a character in two', () => {
    for (let lead = 0; lead < 4; lead++)
      assert.ok(makeSnippet('x'.repeat(lead) + '😀'.repeat(400), weights).isWellFormed());
  });
});
