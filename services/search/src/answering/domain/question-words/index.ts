// Words that questions on any subject ask with, beside stop words: question words, verbs, measures, names for things in general. A text that
// answers often says the same with others. With the irregular forms, which have stems of their own.
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
