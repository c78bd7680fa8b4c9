// The form of a sign-in code, and the hash by which it is found. The value is never stored, logged or compared.
import { createHash } from 'node:crypto';
import { randomText, SECRET_LENGTH } from '../auth/random-secret.domain.js';

const pattern = /^[0-9A-Za-z]{43}$/;

/** The link is opened right after it was printed. */
export const SIGN_IN_CODE_SECONDS = 600;

/** The lifetime of the key of a sign-in. */
export const SIGN_IN_KEY_HOURS = 12;

export const newSignInCode = (): string => randomText(SECRET_LENGTH);

/** SHA-256 of the value. Null for text that is not a code. */
export const signInCodeHash = (value: string): Buffer | null =>
  pattern.test(value) ? createHash('sha256').update(value).digest() : null;
