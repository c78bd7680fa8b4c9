// The Idempotency-Key of a request. Only its hash is stored.
import { badRequest } from '@kiln/contracts';
import { createHash } from 'node:crypto';

const LENGTH_MAX = 255;

/** Returns the header's value, or null without the header. Throws BAD_REQUEST for one that is empty or too long. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || header.length < 1 || header.length > LENGTH_MAX) {
    throw badRequest(`Idempotency-Key must have 1 to ${LENGTH_MAX} characters`);
  }
  return header;
}

export const hashOfKey = (key: string): Buffer =>
  createHash('sha256').update('kiln idempotency\0').update(key).digest();
