// Words with which questions on any subject are asked, beside stop words: question words, verbs, measures, general nouns. A text with the
// answer often uses other words for them. The lists include irregular forms, which have stems of their own.
import type { TextLanguage } from '@kiln/contracts';
import { english } from './english.js';
import { danish, dutch, german, norwegian, swedish } from './germanic.js';
import { finnish, hungarian, none, russian } from './others.js';
import { french, italian, portuguese, romanian, spanish } from './romance.js';

export const questionWords: Readonly<Record<TextLanguage, string>> = {
  danish,
  dutch,
  english,
  finnish,
  french,
  german,
  hungarian,
  italian,
  norwegian,
  none,
  portuguese,
  romanian,
  russian,
  spanish,
  swedish,
};
