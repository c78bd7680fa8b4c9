// Deleting many objects: all are tried, then the failures are told in one error.
import { StorageError } from './storage.errors.js';

export interface DeleteFailure {
  key: string;
  /** What the provider said. */
  message: string;
  denied: boolean;
}

export function throwDeleteFailures(keysTried: number, failures: readonly DeleteFailure[]): void {
  const [first] = failures;
  if (first === undefined) return;
  const denied = failures.every((failure) => failure.denied);
  throw new StorageError(
    denied ? 'access_denied' : 'unavailable',
    `deleting ${keysTried} objects: ${failures.length} could not be deleted, the first is ${first.key}: ${first.message}`,
    { retryable: !denied },
  );
}
