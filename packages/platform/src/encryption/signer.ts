// Signs values that callers carry and return, such as the token of a URL: HMAC-SHA256 under keys derived from the operator's. It
// has no nonce, so one key may sign any number of values. It does not encrypt. All keys sign, and any one of them verifies: during
// a rotation, processes that know only one of the keys accept each other's values, and values signed with both outlive the old key.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { encryptionKeys } from './encryption-keys.js';

const KEY_BYTES = 32;
/** Truncated from 32 bytes: half a digest cannot be guessed. */
const SIGNATURE_BYTES = 16;

export class Signer {
  private readonly keys: readonly Buffer[];

  /** `keys` as in `KILN_ENCRYPTION_KEY`. A signature for one purpose is not valid for another. */
  constructor(keys: string, purpose: string) {
    this.keys = encryptionKeys(keys).map((key) =>
      Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `kiln ${purpose}`, KEY_BYTES)),
    );
  }

  /** The number of signatures, the signatures, and the message. */
  sign(message: Buffer): Buffer {
    const signatures = this.keys.map((key) => signatureOf(message, key));
    return Buffer.concat([Buffer.of(signatures.length), ...signatures, message]);
  }

  /** Returns the message. Null if it was not signed for this purpose with one of these keys, or has been modified. */
  verify(signed: Buffer): Buffer | null {
    const messageAt = 1 + (signed[0] ?? 0) * SIGNATURE_BYTES;
    if (signed.length < messageAt) return null;
    const message = signed.subarray(messageAt);
    const own = this.keys.map((key) => signatureOf(message, key));
    for (let at = 1; at < messageAt; at += SIGNATURE_BYTES) {
      const signature = signed.subarray(at, at + SIGNATURE_BYTES);
      if (own.some((expected) => timingSafeEqual(expected, signature))) return message;
    }
    return null;
  }
}

const signatureOf = (message: Buffer, key: Buffer) =>
  createHmac('sha256', key).update(message).digest().subarray(0, SIGNATURE_BYTES);
