// A store answered a listing with success, but not with what its provider documents: whether anything is missing is unknown.
import { StorageError } from './storage.errors.js';

export class ListingNotProvenError extends StorageError {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super('invalid', `the listing is not one that the provider documents: ${reason}`, options);
  }
}
