// The form of an API key, and the hash by which it is found. The value is never stored, logged or compared.
import type { KeyMode } from '@kiln/contracts';
import { randomSecret, secretHash } from '../auth/random-secret.domain.js';

export const apiKeyPattern = /^kiln_(live|test)_[0-9A-Za-z]{43}$/;

const PREFIX_LENGTH = 14;

/** The stored part of a key. */
export interface KeyFingerprint {
  hash: Buffer;
  /** The leading part of the value, which is shown in its place. */
  prefix: string;
  mode: KeyMode;
}

/** Null for text that is not a key. */
export function fingerprintOf(value: string): KeyFingerprint | null {
  const mode = apiKeyPattern.exec(value)?.[1];
  return mode === 'live' || mode === 'test' ? fingerprint(value, mode) : null;
}

export function newApiKey(mode: KeyMode): { value: string; fingerprint: KeyFingerprint } {
  const value = `kiln_${mode}_${randomSecret()}`;
  return { value, fingerprint: fingerprint(value, mode) };
}

const fingerprint = (value: string, mode: KeyMode): KeyFingerprint => ({
  hash: secretHash(value),
  prefix: value.slice(0, PREFIX_LENGTH),
  mode,
});
