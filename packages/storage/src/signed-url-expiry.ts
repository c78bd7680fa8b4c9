// The lifetime of signed URLs. S3 and Google allow at most seven days, so the limit is the same for all providers.
import { StorageError } from './storage.errors.js';

const EXPIRES_MAX_SECONDS = 7 * 24 * 3600;

export function checkedExpiry(expiresSeconds: number): number {
  if (Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= EXPIRES_MAX_SECONDS) {
    return expiresSeconds;
  }
  throw new StorageError(
    'invalid',
    `the lifetime of a signed URL must be 1 to ${EXPIRES_MAX_SECONDS} whole seconds, but is ${expiresSeconds}`,
  );
}
