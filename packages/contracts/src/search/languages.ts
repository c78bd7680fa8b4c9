// The languages whose words a search matches in all their forms.
import { z } from 'zod';

export const textLanguages = [
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'none',
] as const;

/** The language in which a text is analyzed. `none`: words match as they are written. */
export const textLanguageSchema = z.enum(textLanguages);

export type TextLanguage = z.output<typeof textLanguageSchema>;

/** The setting of an organization. `auto`: the language of each file. */
export const searchLanguageSchema = z.enum([...textLanguages, 'auto']).meta({
  description:
    'The language in which searches match words in all their forms. `auto` uses the language detected in each file. `none` matches words as they are written, as `auto` does for other languages.',
});

export type SearchLanguage = z.output<typeof searchLanguageSchema>;

export const DEFAULT_SEARCH_LANGUAGE: SearchLanguage = 'english';

/** By ISO 639-1 code. */
const LANGUAGES_BY_CODE: Readonly<Partial<Record<string, TextLanguage>>> = {
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  hu: 'hungarian',
  it: 'italian',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  es: 'spanish',
  sv: 'swedish',
};

/**
 * The language of a file's index. `detected`: the language tag of the file, such as `de` or `de-AT`, or null if its language is not known,
 * which `auto` treats as `none`.
 */
export function textLanguageOf(setting: SearchLanguage, detected: string | null): TextLanguage {
  if (setting !== 'auto') return setting;
  const [code = ''] = (detected ?? '').toLowerCase().split(/[-_]/, 1);
  return Object.hasOwn(LANGUAGES_BY_CODE, code) ? (LANGUAGES_BY_CODE[code] ?? 'none') : 'none';
}
