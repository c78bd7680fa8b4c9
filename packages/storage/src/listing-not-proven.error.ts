// The response to a listing has a success status but is not what the provider documents, so the listing may be incomplete.
import { StorageError } from './storage.errors.js';

export class ListingNotProvenError extends StorageError {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super('invalid', `the listing is not one that the provider documents: ${reason}`, options);
  }
}
