// Random text for values that are secrets: each character is one of 62, all equally likely.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters of 62 hold over 250 bits. */
export const SECRET_LENGTH = 43;
/** The largest multiple of 62 that a byte can reach. Bytes above it would favour the first characters. */
const FAIR_BELOW = 248;

export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BELOW && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
