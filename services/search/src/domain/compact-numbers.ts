// Whole numbers as text, in as few ASCII characters as they need: `@` to DEL are the digits 0 to 63, with which a number ends; space
// to `?` are the digits 0 to 31, which go before it, the lowest first.
//
// It is text since the driver has no binary results: a `bytea` reaches the process as hexadecimal digits, which take twice the
// bytes and ten times as long to read.

const LAST_DIGITS = 64;
const DIGITS = 32;
const DIGIT_ZERO = 0x20;
const LAST_DIGIT_ZERO = 0x40;

const short = Array.from({ length: LAST_DIGITS }, (_, value) => String.fromCharCode(LAST_DIGIT_ZERO + value));

export function encodeNumber(value: number): string {
  let text = '';
  let rest = value;
  for (; rest >= LAST_DIGITS; rest = Math.floor(rest / DIGITS))
    text += String.fromCharCode(DIGIT_ZERO + (rest % DIGITS));
  return text + (short[rest] ?? '');
}

/** Reads one number after the other. Behind the end of the text, `at` is greater than its length, and the numbers mean nothing. */
export class NumberReader {
  at = 0;

  constructor(readonly text: string) {}

  next(): number {
    let code = this.text.charCodeAt(this.at++);
    if (code >= LAST_DIGIT_ZERO) return code - LAST_DIGIT_ZERO;
    let value = 0;
    let scale = 1;
    for (; code < LAST_DIGIT_ZERO; scale *= DIGITS) {
      value += (code - DIGIT_ZERO) * scale;
      code = this.text.charCodeAt(this.at++);
    }
    return value + (code - LAST_DIGIT_ZERO) * scale;
  }
}
