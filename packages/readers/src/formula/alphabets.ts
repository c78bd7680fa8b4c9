/** Mathematical alphanumeric symbols (Unicode, U+1D400 to U+1D7FF, and letterlike symbols): the letter, and the command of its alphabet. */

export interface AlphabetLetter {
  letter: string;
  /** Null for italic letters, because formulas are italic anyway. */
  command: string | null;
}

const first = 0x1d400;
const firstGreek = 0x1d6a8;
const firstDigit = 0x1d7ce;
const last = 0x1d7ff;
const letters = 52;
const greekLetters = 58;
const digits = 10;
/** The commands are in the order of Unicode. */
const latin = 'mathbf,,boldsymbol,mathcal,mathcal,mathfrak,mathbb,mathfrak,mathsf,mathsf,mathsf,mathsf,mathtt'.split(
  ',',
);
const greek = 'boldsymbol,,boldsymbol,boldsymbol,boldsymbol'.split(',');
const numerals = 'mathbf,mathbb,mathsf,mathsf,mathtt'.split(',');
const letterlike: readonly (readonly [string, string])[] = [
  ['ℂℍℕℙℚℝℤ', 'mathbb'],
  ['ℬℰℱℋℐℒℳℛℯℊℴ', 'mathcal'],
  ['ℭℌℨ', 'mathfrak'],
  ['ℎ', ''],
];

/** Null for a character of no mathematical alphabet. */
export function alphabetLetter(character: string): AlphabetLetter | null {
  const name = alphabetOf(character);
  return name === undefined ? null : { letter: character.normalize('NFKC'), command: name === '' ? null : `\\${name}` };
}

function alphabetOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < first) return letterlike.find(([characters]) => characters.includes(character))?.[1];
  if (code > last) return undefined;
  if (code >= firstDigit) return numerals[Math.floor((code - firstDigit) / digits)];
  if (code >= firstGreek) return greek[Math.floor((code - firstGreek) / greekLetters)];
  return latin[Math.floor((code - first) / letters)];
}
