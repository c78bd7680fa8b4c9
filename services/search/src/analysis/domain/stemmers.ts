// Snowball's stemmers (https://snowballstem.org/algorithms). The stemmers of languages other than English come from version 2 of its
// compiler. The English stemmer of that package deviates from the algorithm for one word in sixteen of its vocabulary.
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import type { TextLanguage } from '@kiln/contracts';
import { stemEnglish } from './english-stemmer.js';

/** The stem of a word in lower case, with its accents. */
export const stemmers: Readonly<Record<TextLanguage, (word: string) => string>> = {
  danish,
  dutch,
  english: stemEnglish,
  finnish,
  french,
  german,
  hungarian,
  italian,
  norwegian,
  portuguese,
  // The stemmer knows the letters with a cedilla. Present spelling has a comma below.
  romanian: (word) => romanian(word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')),
  russian,
  spanish,
  swedish,
  none: (word) => word,
};
