// How long a signed URL may live. Seven days is the most that S3 and Google sign for; the others follow.
import { StorageError } from './storage.errors.js';

const EXPIRES_MAX_SECONDS = 7 * 24 * 3600;

export function checkedExpiry(expiresSeconds: number): number {
  if (Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= EXPIRES_MAX_SECONDS) {
    return expiresSeconds;
  }
  throw new StorageError(
    'invalid',
    `a signed URL lives 1 to ${EXPIRES_MAX_SECONDS} whole seconds, not ${expiresSeconds}`,
  );
}
