// The object exists, but is in a storage class whose bytes cannot be read until they are restored.
import { StorageError } from './storage.errors.js';

export class ObjectArchivedError extends StorageError {
  constructor(
    action: string,
    /** The provider's name of the class. Empty when it does not report it. */
    readonly archivedIn: string,
    options: { cause?: unknown } = {},
  ) {
    super('invalid', `${action}: the object is archived`, options);
  }
}
