// Values that are secrets: random text, in which each character is one of 62, all equally likely. Only their hashes are stored.
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters of 62 hold over 250 bits, so a slow hash would add cost and no safety. */
const LENGTH = 43;
/** The largest multiple of 62 that a byte can reach. Bytes above it would favour the first characters. */
const FAIR_BELOW = 248;

export function randomSecret(): string {
  let text = '';
  while (text.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < FAIR_BELOW && text.length < LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

export const secretHash = (value: string): Buffer => createHash('sha256').update(value).digest();
