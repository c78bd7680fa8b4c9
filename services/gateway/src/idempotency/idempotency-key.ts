// The Idempotency-Key of a request. Only its hash is stored; what is kept for repeats is encrypted under the key itself
// (RFC 5869, AES-256-GCM), so that whoever reads the table learns no answer.
import { badRequest } from '@kiln/contracts';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const LENGTH_MAX = 255;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The header's value, or null without the header. Throws BAD_REQUEST for one that is empty or too long. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || header.length < 1 || header.length > LENGTH_MAX) {
    throw badRequest(`Idempotency-Key: must have 1 to ${LENGTH_MAX} characters`);
  }
  return header;
}

export const hashOfKey = (key: string): Buffer =>
  createHash('sha256').update('kiln idempotency\0').update(key).digest();

const cipherKeyOf = (key: string, scope: string) => Buffer.from(hkdfSync('sha256', key, scope, 'kiln answer', 32));

/** `scope` (tenant and route) keeps the same key in two places from sharing a cipher key. */
export function seal(key: string, scope: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', cipherKeyOf(key, scope), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when the bytes were not sealed with the same key and scope. */
export function open(key: string, scope: string, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', cipherKeyOf(key, scope), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
