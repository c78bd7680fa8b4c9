import { unavailable } from '@kiln/contracts';
import { StorageError } from '@kiln/storage';

/** Throws UNAVAILABLE for an error of the object store, and others as they are. */
export function notAvailable(error: unknown): never {
  throw error instanceof StorageError ? unavailable('The object store', error) : error;
}
