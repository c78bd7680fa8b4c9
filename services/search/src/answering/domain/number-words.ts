// Numbers that are written as words. Words that also mean something else are missing: the French "neuf" is "new", too.
import type { TextLanguage } from '@kiln/contracts';

/** The words for 2, 3, 4 and so on. `-`: the word is missing. */
const fromTwo: Partial<Record<TextLanguage, string>> = {
  english: 'two three four five six seven eight nine ten eleven twelve',
  german: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  french: 'deux trois quatre cinq six sept huit - dix onze douze',
  spanish: 'dos tres cuatro cinco seis siete ocho nueve diez once doce',
  italian: 'due tre quattro cinque sei sette otto nove dieci undici dodici',
  portuguese: 'dois três quatro cinco seis sete oito nove dez onze doze',
  dutch: 'twee drie vier vijf zes zeven acht negen tien elf twaalf',
};

/** The words for 20, 30, 40 and so on. */
const tens: Partial<Record<TextLanguage, string>> = {
  english: 'twenty thirty forty fifty sixty seventy eighty ninety',
  german: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
};

/** Powers of ten by the words that multiply the number before them, in any language. */
export const powersOfTen: ReadonlyMap<string, number> = new Map(
  Object.entries({
    2: 'hundred hundert cent cents',
    3: 'thousand tausend mille mil',
    6: 'million millions mio millionen millón millones milione milioni milhão milhões miljoen',
    9: 'billion billions mrd milliarde milliarden milliard milliards miliardo miliardi miljard',
  }).flatMap(([power, words]) => words.split(' ').map((word) => [word, Number(power)] as const)),
);

/** Lower-case words and their numbers. Empty for languages whose words are not known. */
export function numberWordsOf(language: TextLanguage): ReadonlyMap<string, number> {
  const small = (fromTwo[language]?.split(' ') ?? []).map((word, at) => [word, at + 2] as const);
  const large = (tens[language]?.split(' ') ?? []).map((word, at) => [word, (at + 2) * 10] as const);
  return new Map([...small, ...large]);
}
