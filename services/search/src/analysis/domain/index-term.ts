// A term as the index stores it. Terms of different languages differ: the German word Gift means poison. So a file is found by what its own
// language makes of a query, and a passage is never counted for two forms of one word.
import type { TextLanguage } from '@kiln/contracts';

/** No word contains a colon. English is the default and needs no mark. */
const MARKS: Readonly<Record<TextLanguage, string>> = {
  danish: 'da:',
  dutch: 'nl:',
  english: '',
  finnish: 'fi:',
  french: 'fr:',
  german: 'de:',
  hungarian: 'hu:',
  italian: 'it:',
  norwegian: 'no:',
  portuguese: 'pt:',
  romanian: 'ro:',
  russian: 'ru:',
  spanish: 'es:',
  swedish: 'sv:',
  none: ':',
};

export const indexTerm = (language: TextLanguage, term: string) => MARKS[language] + term;
