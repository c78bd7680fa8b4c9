import { CodedError } from '@kiln/contracts';

/** A CONFLICT: the Idempotency-Key belongs to a request with another body. It is not kept, so a repeat of that request is still answered. */
export class ReusedKey extends CodedError {
  constructor(other: 'body' | 'file') {
    super('CONFLICT', `This Idempotency-Key was used with another ${other}. Use a new key for a new request.`);
  }
}
