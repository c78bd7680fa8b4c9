// Encrypts secrets for the database with AES-256-GCM under the operator's key. The row's place is authenticated data, so a value
// copied into another row or tenant does not open. The first key seals and all keys open: to rotate, put a new key first, and drop
// the old one when no value uses it.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { encryptionKeys } from './encryption-keys.js';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const CIPHER = 'aes-256-gcm';

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

/** `KILN_ENCRYPTION_KEY`: one or several keys separated by commas, each 32 bytes as base64. */
export const encryptionVariables = {
  KILN_ENCRYPTION_KEY: z
    .string()
    .refine((text) => text.split(',').every((key) => BASE64_OF_32_BYTES.test(key.trim())), {
      error: 'must be 32 bytes as base64 (openssl rand -base64 32); several are separated by commas, the newest first',
    }),
};

interface Key {
  id: Buffer;
  bytes: Buffer;
}

const headerOf = ({ id }: Key) => Buffer.concat([Buffer.of(VERSION), id]);

/** The place of a sealed value. It opens in no other place. */
export interface EncryptionContext {
  tenantId: string;
  rowId: string;
  /** The column, e.g. `secret`. */
  name: string;
}

const contextBytes = ({ tenantId, rowId, name }: EncryptionContext) => Buffer.from(`${tenantId} ${rowId} ${name}`);

/** The value was sealed for another place or with another key, or has been modified. */
export class SealBrokenError extends Error {
  constructor() {
    super('a sealed value does not open: KILN_ENCRYPTION_KEY lacks its key, or the row was tampered with');
    this.name = 'SealBrokenError';
  }
}

export class Sealer {
  private readonly keys: readonly Key[];
  private readonly first: Key;

  /** `keys` as in `KILN_ENCRYPTION_KEY`. */
  constructor(keys: string) {
    this.keys = encryptionKeys(keys).map(keyOf);
    const [first] = this.keys;
    if (!first) throw new Error('a sealer needs a key');
    this.first = first;
  }

  /** The first bytes of values that an older key sealed, for each older key. */
  get olderHeads(): Buffer[] {
    return this.keys.slice(1).map(headerOf);
  }

  /** Version, key id, nonce, tag and ciphertext. Sealing the same text twice gives two values. */
  seal(text: string, place: EncryptionContext): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const header = headerOf(this.first);
    const cipher = createCipheriv(CIPHER, this.first.bytes, nonce);
    cipher.setAAD(Buffer.concat([header, contextBytes(place)]));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws SealBrokenError. */
  open(sealed: Buffer, place: EncryptionContext): string {
    const header = sealed.subarray(0, HEADER_BYTES);
    const key = this.keys.find(({ id }) => id.equals(header.subarray(1)));
    if (!key || header[0] !== VERSION) throw new SealBrokenError();
    const tagAt = HEADER_BYTES + NONCE_BYTES;
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(HEADER_BYTES, tagAt), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.concat([header, contextBytes(place)]));
      decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
      return decipher.update(sealed.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SealBrokenError();
    }
  }

  /** Whether the value was sealed with an older key than the first. Its beginning is enough. */
  isOld(sealed: Buffer): boolean {
    return !this.first.id.equals(sealed.subarray(1, HEADER_BYTES));
  }

  /** The same text, sealed with the first key. Null if it already was. Throws SealBrokenError. */
  reseal(sealed: Buffer, place: EncryptionContext): Buffer | null {
    return this.isOld(sealed) ? this.seal(this.open(sealed, place), place) : null;
  }
}

/** Identifies a key without revealing it: the start of a digest of 32 random bytes. */
function keyOf(bytes: Buffer): Key {
  return {
    bytes,
    id: createHash('sha256').update('kiln encryption key').update(bytes).digest().subarray(0, KEY_ID_BYTES),
  };
}
