// The numbers in a text, in a form in which "1,200", "1.200", "1 200" and "twelve hundred" are equal. A separator may belong to thousands
// or to decimals, so a number can have two readings.
import type { TextLanguage } from '@kiln/contracts';
import { numberWordsOf, powersOfTen } from './number-words.js';

/** Thousands divided by spaces, or digits with other separators between them. Digits after a letter belong to a name, such as B12. */
const NAME_OR_NUMBER =
  /\p{L}[\p{L}\p{M}\p{N}]*|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*/gu;
const NUMBER = /^\d/;
const SEPARATORS = /[.,'’ \u00a0\u2009\u202f]/;
const SPACES = /[ \u00a0\u2009\u202f]/;
const LIST_NUMBER = /^\s*\d{1,3}[.)]\s+/gm;
const NEXT_WORD = /^[\s-]*(\p{L}+)/u;
const WORD = /\p{L}+/gu;
const TENS_AND_UNITS = /(?<![\d.,])([2-9])0[ -]([2-9])(?![\d.,])/g;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
/** More digits than a number has that is multiplied. */
const PRECISION = 12;

export interface TextNumber {
  /** What the number may be: "1200" or "1.2". */
  readonly readings: readonly string[];
  /** The numbers between its separators, of a date or where spaces may not belong to the number. Empty otherwise. */
  readonly parts: readonly string[];
}

/** The numbers of a statement. Those that count the items of a list are left out. */
export const numbersOf = (text: string, language: TextLanguage): TextNumber[] =>
  read(text.replace(LIST_NUMBER, ''), language);

/** All readings of the numbers in a source. `powers`: those of the words that multiply numbers anywhere in the source, as above a table. */
export function readingsIn(text: string, language: TextLanguage, powers: readonly number[]): Set<string> {
  const readings = read(text, language).flatMap(({ readings: own, parts }) => [...own, ...parts]);
  return new Set([...readings, ...powers.flatMap((power) => readings.map((reading) => multiply(reading, power)))]);
}

/** The powers of ten by which words in a text multiply numbers. */
export function powersIn(text: string): number[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return [...new Set(words.flatMap((word) => powersOfTen.get(word) ?? []))];
}

export const isAmong = ({ readings, parts }: TextNumber, known: ReadonlySet<string>): boolean =>
  readings.some((reading) => known.has(reading)) || (parts.length > 0 && parts.every((part) => known.has(part)));

function read(text: string, language: TextLanguage): TextNumber[] {
  const digits = wordsToDigits(text.replace(OTHER_DIGITS, asciiDigit), language);
  const numbers = [...digits.matchAll(NAME_OR_NUMBER)].filter(([token]) => NUMBER.test(token));
  return numbers.map(({ 0: number, index }) => {
    const [, word = ''] = NEXT_WORD.exec(digits.slice(index + number.length)) ?? [];
    const power = powersOfTen.get(word.toLowerCase());
    const { readings, parts } = readingsOf(number);
    if (power === undefined) return { readings, parts };
    return { readings: readings.map((reading) => multiply(reading, power)), parts: [] };
  });
}

function wordsToDigits(text: string, language: TextLanguage): string {
  const words = numberWordsOf(language);
  if (words.size === 0) return text;
  const digits = text.replace(WORD, (word) => String(words.get(word.toLowerCase()) ?? word));
  return digits.replace(TENS_AND_UNITS, '$1$2');
}

/** Each script's digits follow each other from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function readingsOf(number: string): TextNumber {
  const parts = number.split(SEPARATORS).map(withoutZeros);
  const [first = '', ...others] = number.split(SEPARATORS);
  const last = others.at(-1);
  if (last === undefined) return { readings: parts, parts: [] };
  const isGrouped = (groups: readonly string[]) =>
    groups.length === 0 || (first.length <= 3 && first !== '0' && groups.every((group) => group.length === 3));
  const readings: string[] = [];
  if (isGrouped(others)) readings.push([first, ...others].join(''));
  if (isGrouped(others.slice(0, -1)) && /[.,]\d+$/.test(number)) {
    readings.push(decimal([first, ...others.slice(0, -1)].join(''), last));
  }
  if (readings.length > 0) return { readings, parts: SPACES.test(number) ? parts : [] };
  return { readings: [parts.join('.')], parts };
}

const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d)/, '');

function decimal(whole: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? withoutZeros(whole) : `${withoutZeros(whole)}.${digits}`;
}

const multiply = (reading: string, power: number) =>
  String(Number((Number(reading) * 10 ** power).toPrecision(PRECISION)));
