// Reports the failures of a deletion of many objects in one error.
import { StorageError } from './storage.errors.js';

export interface DeleteFailure {
  key: string;
  /** The provider's message. */
  message: string;
  denied: boolean;
}

export function throwDeleteFailures(keysTried: number, failures: readonly DeleteFailure[]): void {
  const [first] = failures;
  if (first === undefined) return;
  const denied = failures.every((failure) => failure.denied);
  throw new StorageError(
    denied ? 'access_denied' : 'unavailable',
    `deleting ${keysTried} objects: ${failures.length} could not be deleted, first ${first.key}: ${first.message}`,
    { retryable: !denied },
  );
}
