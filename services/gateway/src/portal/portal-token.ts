// The form of a portal token, and the hash by which it is found. The value is never stored, logged or compared.
import { createHash } from 'node:crypto';
import { randomText, SECRET_LENGTH } from '../auth/secret.js';

const pattern = /^kiln_pt_[0-9A-Za-z]{43}$/;

export const newPortalToken = (): string => `kiln_pt_${randomText(SECRET_LENGTH)}`;

/** SHA-256 of the value, or null for text that is not a token. */
export function portalTokenHash(value: string): Buffer | null {
  return pattern.test(value) ? createHash('sha256').update(value).digest() : null;
}
