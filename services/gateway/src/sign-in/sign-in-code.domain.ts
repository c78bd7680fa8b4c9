// The form of a sign-in code, and the hash by which it is found. The value is never stored, logged or compared.
import { randomSecret, secretHash } from '../auth/random-secret.domain.js';

const pattern = /^[0-9A-Za-z]{43}$/;

/** The link is opened right after it was printed. */
export const SIGN_IN_CODE_SECONDS = 600;

/** The lifetime of the key of a sign-in. */
export const SIGN_IN_KEY_HOURS = 12;

export function newSignInCode(): { value: string; hash: Buffer } {
  const value = randomSecret();
  return { value, hash: secretHash(value) };
}

/** Null for text that is not a code. */
export const signInCodeHash = (value: string): Buffer | null => (pattern.test(value) ? secretHash(value) : null);
