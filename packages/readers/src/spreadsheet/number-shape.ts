/**
 * What a number format writes besides the number (ISO/IEC 29500-1, 18.8.31): a currency, a unit, a prefix, leading zeros, or characters
 * between the digits. `"INV-"0000` shows 42 as `INV-0042`.
 */

/** Longer text beside a number is left out: any number of cells can share a format. */
const besideCharactersMax = 40;
const codeTokens = /"([^"]*)"|\\(.)|[_*].|\[([^\]]*)\]|([0#?]|general)|([.,;])|(.)/gisu;
/** The characters that a format may have outside of quotes (18.8.31), and signs of currencies. */
const literal = /^[ $\-+():!^&'~{}<>=\p{Sc}]$/u;
const colorOrLocale = /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+|\$?-[\da-f]+|dbnum\d)$/i;

interface Part {
  /** A `place` has a digit. A `zero` has one even if the number is shorter. */
  kind: 'text' | 'zero' | 'place' | 'point' | 'comma';
  text: string;
}

export interface NumberShape {
  before: string;
  after: string;
  /** The number of digits before the point. A shorter number gets zeros. */
  integerDigits: number;
  /** The number is divided by this. A comma after the last digit divides by 1,000. */
  divisor: number;
  /** For a whole number: its digits, and the text between them. */
  mask: readonly Part[] | null;
}

/** The shape of positive numbers. Null if the code writes only the number, or if its conditions and signs are not known. */
export function shapeOfCode(code: string): NumberShape | null {
  const parts = partsOf(code);
  const first = parts?.findIndex(isDigit) ?? -1;
  if (parts === null || first === -1) return null;
  const last = parts.findLastIndex(isDigit);
  const point = parts.findIndex(({ kind }) => kind === 'point');
  const inner = parts.slice(first, last + 1);
  // A space between digits separates thousands.
  const hasInnerText = inner.some(({ kind, text }) => kind === 'text' && text.trim() !== '');
  if (hasInnerText && point !== -1) return null;
  const integer = point === -1 ? inner : parts.slice(first, point);
  const shape = {
    // A sign is not shown twice.
    before: textOf(parts.slice(0, first)).trimStart().replace(/^[+-]/, ''),
    after: textOf(parts.slice(last + 1)).trimEnd(),
    integerDigits: integer.filter(({ kind }) => kind === 'zero').length,
    divisor: 1000 ** parts.slice(last + 1).filter(({ kind }) => kind === 'comma').length,
    mask: hasInnerText ? inner.filter(({ kind }) => kind !== 'comma') : null,
  };
  if (Math.max(shape.before.length, shape.after.length, inner.length) > besideCharactersMax) return null;
  const isPlain = shape.before + shape.after === '' && shape.integerDigits < 2 && shape.divisor === 1 && !hasInnerText;
  return isPlain ? null : shape;
}

/** `plain` writes a number without a shape. */
export function shapedNumber(value: number, shape: NumberShape, plain: (value: number) => string): string {
  const size = Math.abs(value) / shape.divisor;
  return `${value < 0 ? '-' : ''}${shape.before}${digitsOf(size, shape, plain)}${shape.after}`;
}

function digitsOf(size: number, { mask, integerDigits }: NumberShape, plain: (value: number) => string): string {
  if (mask !== null) return Number.isSafeInteger(size) ? masked(size, mask) : plain(size);
  const [integer = '', ...fraction] = plain(size).split('.');
  return [/\D/.test(integer) ? integer : integer.padStart(integerDigits, '0'), ...fraction].join('.');
}

/** Null for a code with a condition or a sign that is not known. */
function partsOf(code: string): Part[] | null {
  const parts: Part[] = [];
  for (const [whole, quoted, escaped, bracket, digit, mark, other] of code.matchAll(codeTokens)) {
    if (mark === ';') break;
    const text = quoted ?? escaped;
    if (text !== undefined) parts.push({ kind: 'text', text });
    else if (digit !== undefined) parts.push({ kind: digit === '0' ? 'zero' : 'place', text: '' });
    else if (mark !== undefined) parts.push({ kind: mark === '.' ? 'point' : 'comma', text: '' });
    else if (bracket !== undefined) {
      const [, currency] = /^\$([^-]+)/.exec(bracket) ?? [];
      if (currency !== undefined) parts.push({ kind: 'text', text: currency });
      else if (!colorOrLocale.test(bracket)) return null;
    } else if (other !== undefined) {
      if (!literal.test(other)) return null;
      parts.push({ kind: 'text', text: other });
    } else if (!/^[_*]/.test(whole)) return null;
  }
  return parts;
}

const isDigit = ({ kind }: Part): boolean => kind === 'zero' || kind === 'place';

const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');

/** Fills the places from the right. The first place, where the mask begins, takes all digits that remain. */
function masked(size: number, mask: readonly Part[]): string {
  let rest = String(size);
  let text = '';
  for (const [at, part] of [...mask.entries()].toReversed()) {
    const digits = at === 0 ? rest : rest.slice(-1);
    if (!isDigit(part)) text = part.text + text;
    else {
      rest = rest.slice(0, rest.length - digits.length);
      text = (digits === '' && part.kind === 'zero' ? '0' : digits) + text;
    }
  }
  return text;
}
