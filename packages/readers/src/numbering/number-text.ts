/** Writes the number of a list item in one of Word's formats (ISO/IEC 29500-1, 17.18.59). */
const romanMax = 3999;
/** From 27 on, Word repeats the letter: aa, bb. It stops after 30 letters. */
const letterMax = 26 * 30;
const chineseMax = 9999;

const romanDigits: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Unknown formats are written in digits. */
export function numberText(number: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'lowerRoman':
      return roman(number);
    case 'upperRoman':
      return roman(number).toUpperCase();
    case 'lowerLetter':
      return letters(number);
    case 'upperLetter':
      return letters(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'ordinal':
      return ordinal(number);
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return number >= 1 && number <= 20 ? String.fromCodePoint(0x245f + number) : String(number);
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
      return chinese(number);
    default:
      return String(number);
  }
}

function roman(number: number): string {
  if (number < 1 || number > romanMax) return String(number);
  let rest = number;
  let text = '';
  for (const [value, digits] of romanDigits) for (; rest >= value; rest -= value) text += digits;
  return text;
}

function letters(number: number): string {
  if (number < 1 || number > letterMax) return String(number);
  const letter = String.fromCodePoint(0x61 + ((number - 1) % 26));
  return letter.repeat(Math.ceil(number / 26));
}

function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}

/** 21 → 二十一, 105 → 一百零五 */
function chinese(number: number): string {
  if (number < 1 || number > chineseMax) return String(number);
  let text = '';
  for (const [place, digit] of Array.from(String(number), Number).toReversed().entries())
    text = (digit === 0 ? '零' : `${'零一二三四五六七八九'[digit]}${['', '十', '百', '千'][place]}`) + text;
  return text.replace(/零+/g, '零').replace(/零$/, '').replace(/^一十/, '十');
}
