// The form of an API key, and the hash by which it is found. The value is never stored, logged or compared.
import type { KeyMode } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { randomText, SECRET_LENGTH } from '../auth/random-secret.domain.js';

export const apiKeyPattern = /^kiln_(live|test)_[0-9A-Za-z]{43}$/;

const PREFIX_LENGTH = 14;

/** The stored part of a key. */
export interface KeyFingerprint {
  hash: Buffer;
  /** The leading part of the value, which is shown in its place. */
  prefix: string;
  mode: KeyMode;
}

export function fingerprintOf(value: string): KeyFingerprint | null {
  const mode = apiKeyPattern.exec(value)?.[1];
  if (mode !== 'live' && mode !== 'test') return null;
  return { hash: createHash('sha256').update(value).digest(), prefix: value.slice(0, PREFIX_LENGTH), mode };
}

export const newApiKey = (mode: KeyMode): string => `kiln_${mode}_${randomText(SECRET_LENGTH)}`;
