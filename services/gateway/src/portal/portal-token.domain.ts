// The form of a portal token, and the hash by which it is found. The value is never stored, logged or compared.
import { randomSecret, secretHash } from '../auth/random-secret.domain.js';

const pattern = /^kiln_pt_[0-9A-Za-z]{43}$/;
const prefixPattern = /^kiln_pt_[0-9A-Za-z]{8}$/;
const PREFIX_LENGTH = 16;

/** The stored part of a token. */
export interface PortalTokenFingerprint {
  hash: Buffer;
  /** The leading part, which is shown in place of the value. It is unique among the tokens of a tenant. */
  prefix: string;
}

export function newPortalToken(): { value: string; fingerprint: PortalTokenFingerprint } {
  const value = `kiln_pt_${randomSecret()}`;
  return { value, fingerprint: fingerprint(value) };
}

/** Null for text that is not a token. */
export const portalTokenFingerprint = (value: string): PortalTokenFingerprint | null =>
  pattern.test(value) ? fingerprint(value) : null;

const fingerprint = (value: string): PortalTokenFingerprint => ({
  hash: secretHash(value),
  prefix: value.slice(0, PREFIX_LENGTH),
});

export const isPortalTokenPrefix = (text: string): boolean => prefixPattern.test(text);
