// Translates what Google's HTTP client throws into StorageError.
import { StorageError } from '../storage.errors.js';

interface HttpErrorShape {
  message?: string;
  code?: unknown;
  status?: number;
  response?: { status?: number };
}

const shapeOf = (error: unknown): HttpErrorShape => (typeof error === 'object' && error !== null ? error : {});

export const statusOf = (error: unknown): number => shapeOf(error).response?.status ?? shapeOf(error).status ?? 0;

export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** This process signs every request and every URL with the private key. */
const isUnreadableKey = (error: unknown): boolean => String(shapeOf(error).code).startsWith('ERR_OSSL');

export function toStorageError(error: unknown, action: string): StorageError {
  if (error instanceof StorageError) return error;
  const status = statusOf(error);
  const described = `${action}: ${shapeOf(error).message ?? String(error)}`;
  if (isUnreadableKey(error)) {
    // No request was made yet. The cause is an error of a decoder, and is omitted.
    return new StorageError('invalid', `${action}: the private key of the service account cannot be read`);
  }
  if (status === 404) return new StorageError('not_found', described, { cause: error });
  if (status === 401 || status === 403) return new StorageError('access_denied', described, { cause: error });
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return new StorageError('invalid', described, { cause: error });
  }
  return new StorageError('unavailable', described, { cause: error, retryable: true });
}
