// Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md):
// HMAC-SHA256 over `<id>.<timestamp>.<body>`, one `v1,<base64>` per secret.
import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type Hmac, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The key inside a `whsec_…` secret. */
export const keyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

/** The header `webhook-signature`. With two keys, while a rotation is in its grace period, a receiver may check either. */
export function signatureOf(keys: readonly KeyObject[], id: string, timestamp: number, body: string): string {
  return keys.map((key) => `v1,${beginSignature(key, id, timestamp).update(body).digest('base64')}`).join(' ');
}

/** The signature of a body that comes in pieces: update it with each of them, then compare its digest by `isSigned`. */
export const beginSignature = (key: KeyObject, id: string, timestamp: number): Hmac =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`);

/** Whether one of the signatures of the header `webhook-signature` is this digest. */
export function isSigned(header: string, digest: Buffer): boolean {
  return header.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === digest.length && timingSafeEqual(given, digest);
  });
}
