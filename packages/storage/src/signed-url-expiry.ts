// The lifetime of signed URLs. S3 and Google allow at most seven days, so the limit is the same for all providers.
import type { ObjectStore } from './object-store.port.js';
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

/** How long a URL that is signed now is valid, if `seconds` are wanted: no longer than the keys that sign it. */
export async function secondsSigned(store: Pick<ObjectStore, 'keysExpireAt'>, seconds: number): Promise<number> {
  const expireAt = await store.keysExpireAt();
  if (expireAt === null) return seconds;
  return Math.max(1, Math.min(seconds, Math.floor((expireAt.getTime() - Date.now()) / 1_000)));
}
