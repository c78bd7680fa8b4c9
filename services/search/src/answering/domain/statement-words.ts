// The words of a statement that can be compared with a text, and whether they are in the language of the text.
import type { TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { stopWords } from '../../analysis/domain/stop-words.js';
import { commonnessOf } from './common-words.js';

/** A statement of fewer words does not show its language. */
const WORDS_OF_LANGUAGE_MIN = 5;
const NUMBER = /^[\p{N}.,]+$/u;
/** They answer a question without a word of the text. */
const AFFIRMATIONS = new Set(
  'yes no ja nein nej oui non sí si no sim não nee kyllä ei igen nem da nu да нет'.split(' '),
);

/** Terms in a language, each with the offset of its word, by which words are the same in all languages. */
export type Terms = ReadonlyMap<string, number>;

/** Numbers are compared by their values, and not as words. */
export function termsOf(text: string, language: TextLanguage): Terms {
  const terms = new Map<string, number>();
  for (const { term, start, end, isAdded } of analyzerOf(language).tokensOfQuery(text)) {
    const word = text.slice(start, end).toLowerCase();
    if (isAdded || terms.has(term) || NUMBER.test(word) || AFFIRMATIONS.has(word)) continue;
    if (commonnessOf(term, language) !== 'grammatical') terms.set(term, start);
  }
  return terms;
}

/** Whether words belong to the grammar of some language, and none to that of this language. */
export function isInAnotherLanguage(text: string, language: TextLanguage): boolean {
  if (language === 'none') return false;
  const words = [...analyzerOf('none').wordsOfText(text)];
  const grammatical = words.filter((word) => commonnessOf(word, 'none') === 'grammatical');
  const isOwn = (word: string) => stopWords[language].has(word) || commonnessOf(word, language) === 'grammatical';
  return words.length >= WORDS_OF_LANGUAGE_MIN && grammatical.length > 0 && !words.some(isOwn);
}
