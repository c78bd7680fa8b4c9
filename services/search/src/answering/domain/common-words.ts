// Words that are common in texts of any subject. In a tenant of few files, counting does not show that a word which no file contains is a
// common one.
import { textLanguages, type TextLanguage } from '@kiln/contracts';
import { analyzerOf } from '../../analysis/domain/analyzer.js';
import { stopWords } from '../../analysis/domain/stop-words.js';
import { grammaticalWords } from './question-words/grammatical.js';
import { questionWords } from './question-words/index.js';

/** `grammatical`: a word of sentences on any subject. Most such words are stop words, which are not terms. */
type Commonness = 'grammatical' | 'common' | 'other';

/**
 * Japanese writes endings, particles and words such as "where" in hiragana. The other characters are particles and question words of
 * Chinese.
 */
const PARTICLES = '\\p{sc=Hiragana}的了是在吗嗎呢什么麼哪谁誰怎几幾这這那为為被把和与與及或个個';
/** Characters of common words: time, begin, end, place, keep, put, need. */
const COMMON_CHARACTERS = '何時时候間间始開开終终結结束多少里裡处處所場场置存保管放需要可能久钱錢';
const GRAMMATICAL_TERM = new RegExp(`^[${PARTICLES}]+$`, 'u');
/** Matches also the pairs of characters in which a word meets a particle. */
const COMMON_TERM = new RegExp(`[${PARTICLES}]|^[${COMMON_CHARACTERS}]+$`, 'u');

interface CommonWords {
  grammatical: ReadonlySet<string>;
  common: ReadonlySet<string>;
}

const known = new Map<TextLanguage, CommonWords>();

/** How common the word is whose term the language's analyzer returned. */
export function commonnessOf(term: string, language: TextLanguage): Commonness {
  let words = known.get(language);
  if (!words) known.set(language, (words = commonWordsOf(language)));
  if (words.grammatical.has(term) || GRAMMATICAL_TERM.test(term)) return 'grammatical';
  return words.common.has(term) || COMMON_TERM.test(term) ? 'common' : 'other';
}

/** The language of a text may be unknown. Then the common words of all languages apply. */
function commonWordsOf(language: TextLanguage): CommonWords {
  const languages = language === 'none' ? textLanguages : [language];
  const termsOf = (textIn: (one: TextLanguage) => string) =>
    new Set(languages.flatMap((one) => [...analyzerOf(language).termsOfText(textIn(one))]));
  return {
    grammatical: termsOf((one) => `${[...stopWords[one]].join(' ')} ${grammaticalWords[one] ?? ''}`),
    common: termsOf((one) => questionWords[one]),
  };
}
