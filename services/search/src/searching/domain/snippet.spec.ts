import { describe, expect, it } from '@jest/globals';
import { textLanguages, type TextLanguage } from '@kiln/contracts';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { searchQueryOf } from './search-query.js';
import { bestStart, SnippetMaker } from './snippet.js';

fc.configureGlobal({ seed: testSeed() });

function snippetOf(query: string, text: string, language: TextLanguage = 'english'): string {
  const { terms } = searchQueryOf(query, [language]);
  return new SnippetMaker(
    terms,
    terms.map((_, position) => position + 1),
  ).make(text, language).snippet;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescape = (html: string) => html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');
const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Throws unless the snippet is HTML with flat, non-empty marks and nothing else. Returns its text, unescaped. */
function textOf(snippet: string): string {
  const pieces = snippet.split(/(<\/?mark>)/);
  const tags = pieces.filter((_, position) => position % 2 === 1);
  for (const [position, tag] of tags.entries()) expect(tag).toBe(position % 2 === 0 ? '<mark>' : '</mark>');
  expect(tags.length % 2).toBe(0);
  for (const [position, piece] of pieces.entries()) {
    if (position % 2 === 1) continue;
    // Every ampersand begins a whole entity, so no mark is inside an entity.
    expect(piece).toMatch(/^(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);)*$/);
    if (position % 4 === 2) expect(piece).not.toBe('');
  }
  return unescape(snippet.replaceAll(/<\/?mark>/g, ''));
}

/** Each boundary of a mark, and each cut, is between two whole characters of the text. */
function assertWhole(snippet: string): void {
  const inner = snippet.replace(/^… /, '').replace(/ …$/, '');
  for (const piece of inner.split(/<\/?mark>/)) {
    const text = unescape(piece);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/^[\p{M}\p{Emoji_Modifier}\u200d]/u);
    expect(text).not.toMatch(/\u200d$/);
  }
}

const PIECES = [
  ...'fox Foxes rare & < > " \' &amp; &lt;mark&gt; <mark> </mark> <b> &#39; amp lt mark'.split(' '),
  ...'機械学習 학습 ภาษาไทย น้ำ กำลัง मराठी हिन्दी Häuser Ha\u0308user e\u0301te\u0301 дом домами İ ﬁsh 😀 👩‍👩‍👧 👍🏽 \u{1d11e}'.split(
    ' ',
  ),
  '\n',
  '\t',
  '\u00a0',
  '\u0301',
  '…',
  'x'.repeat(300),
];
const GLUE = ['', '', ' ', ' ', '-', '&', '<', ';'];
const texts = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme' })), fc.constantFrom(...GLUE)), {
    minLength: 20,
    maxLength: 120,
  })
  // The text begins with a letter: a mark without one has no character to combine with.
  .map((pieces) => `a${pieces.map(([piece, glue]) => piece + glue).join('')}`.toWellFormed());
const WORDS = 'fox rare amp lt quot mark b 機械学習 学 학습 ภาษา น้ า मराठी Häuser été дом ﬁsh'.split(' ');
const queries = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });

describe('a snippet', () => {
  it('shows the part with the words of the highest weight', () => {
    const text = `A fox. ${'Filler words. '.repeat(60)}A rare fox. ${'More. '.repeat(80)}`;
    expect(snippetOf('fox rare', text)).toMatch(/^… .*A <mark>rare<\/mark> <mark>fox<\/mark>\. More\..* …$/);
  });

  it('begins at the match from which the distinct words within its length have the most weight, as compared one by one', () => {
    const LENGTH = 10;
    const weights = new Map(['a', 'b', 'c', 'd'].map((term, position) => [term, position + 1]));
    const distinct = fc.tuple(fc.constantFrom(...weights.keys()), fc.nat(4), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(fc.array(distinct, { maxLength: 30 }), (drawn) => {
        let start = 0;
        const matches = drawn.map(([term, gap, size]) => ({ term, start: (start += gap), end: start + size }));
        const weightFrom = (first: number) => {
          const rest = matches.slice(first);
          const fits = rest.findIndex(({ end }) => end - (matches[first]?.start ?? 0) > LENGTH);
          const within = new Set(rest.slice(0, fits < 0 ? rest.length : fits).map(({ term }) => term));
          return [...within].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
        };
        const sums = matches.map((_, position) => weightFrom(position));
        const best = matches[sums.indexOf(Math.max(...sums))];
        expect(bestStart(matches, weights, LENGTH)).toBe(best?.start ?? 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('marks overlapping pairs of characters once, and the forms of a word in the language of the text', () => {
    expect(snippetOf('学習', '機械学習')).toBe('機械<mark>学習</mark>');
    expect(snippetOf('機械学習', '機械学習')).toBe('<mark>機械学習</mark>');
    expect(snippetOf('Haus', 'Zwei Häuser', 'german')).toBe('Zwei <mark>Häuser</mark>');
    expect(snippetOf('дома', 'в домах', 'russian')).toBe('в <mark>домах</mark>');
    // The mark begins with a space that carries an accent.
    expect(snippetOf('\u0e31ก', 'a\t \u0e31ก')).toBe('a<mark> \u0e31ก</mark>');
    expect(snippetOf('дом', 'a\t \u0301дом')).toBe('a \u0301<mark>дом</mark>');
  });

  it('is safe HTML for any text and query in any language: a part of the escaped text, with flat marks around whole characters', () => {
    let marked = 0;
    fc.assert(
      fc.property(texts, queries, fc.constantFrom(...textLanguages), (text, query, language) => {
        const snippet = snippetOf(query.join(' '), text, language);
        const shown = textOf(snippet).replace(/^… /, '').replace(/ …$/, '');
        expect(collapse(text)).toContain(shown);
        assertWhole(snippet);
        marked += snippet.includes('<mark>') ? 1 : 0;
      }),
      { numRuns: 1_000 },
    );
    expect(marked).toBeGreaterThan(500);
  });

  it('never splits a character, wherever the text is cut', () => {
    for (const character of ['😀', 'e\u0301\u0323', '👩‍👩‍👧', '👍🏽', 'น้ำ'])
      for (let lead = 0; lead < 8; lead++) assertWhole(snippetOf('fox', 'x'.repeat(lead) + character.repeat(400)));
  });
});
