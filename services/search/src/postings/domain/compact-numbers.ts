// Encodes integers as text of variable length, the least significant digit first. The last digit is one of `@` to DEL (0 to 63), each
// other digit one of space to `?` (0 to 31).
//
// The encoding is text because the driver has no binary results: a `bytea` arrives as hexadecimal digits, which take twice the bytes and
// ten times as long to decode.

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

/** Reads numbers in sequence. A read past the end of the text returns a meaningless number and leaves `at` beyond the text's length. */
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
