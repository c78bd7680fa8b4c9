// What a file must contain to have all words of a text. A word is a group of terms: its own term, and the other spellings of a compound
// (`email` for `e-mail`, see compound-words.ts). A file has a word when it has one term of its group.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf, type Token } from '../analysis/domain/analyzer.js';
import { indexTerm } from '../analysis/domain/index-term.js';

/** Terms as the index stores them. */
export type WordGroup = readonly string[];

/** Empty when the text has no words in this language except stop words. Then it finds no file of the language. */
export function wordGroupsOf(text: string, language: TextLanguage): WordGroup[] {
  const tokens = [...analyzerOf(language).tokensOfQuery(text)];
  const added = tokens.filter(({ isAdded }) => isAdded);
  const groups = new Map<string, WordGroup>();
  for (const word of tokens.filter(({ isAdded }) => !isAdded)) {
    for (const alternatives of alternativesOf(word, added)) {
      const group = [...new Set(alternatives.map(({ term }) => indexTerm(language, term)))];
      groups.set(group.join(' '), group);
    }
  }
  return [...groups.values()];
}

/** A word or the compound that it is joined to. If the parts are the whole word, a file may contain all of them instead. */
function alternativesOf(word: Token, added: readonly Token[]): Token[][] {
  const either = [word, ...added.filter((token) => contains(token, word))];
  const parts = added.filter((token) => contains(word, token));
  const isWhole = parts.reduce((length, { start, end }) => length + end - start, 0) === word.end - word.start;
  return isWhole ? parts.map((part) => [...either, part]) : [either];
}

/** The outer token is longer, too. */
const contains = (outer: Token, inner: Token) =>
  outer.start <= inner.start && outer.end >= inner.end && outer.end - outer.start > inner.end - inner.start;
