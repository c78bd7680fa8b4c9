// Seals secrets for the database: AES-256-GCM under the operator's key, bound to the row it stands in, so that a value copied
// into another row or tenant does not open. The first key seals; all of them open, so a new one is put in front of the old
// and the old one is dropped once nothing is sealed with it any more.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

/** `KILN_ENCRYPTION_KEY`: one key, or several separated by commas, each 32 bytes as base64. */
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

/** Where a sealed value stands. Any other place does not open it. */
export interface SealedPlace {
  tenantId: string;
  rowId: string;
  /** The column, e.g. `secret`. */
  name: string;
}

const placeBytes = ({ tenantId, rowId, name }: SealedPlace) => Buffer.from(`${tenantId} ${rowId} ${name}`);

/** The value was not sealed for this place, not with one of these keys, or was changed since. */
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
    this.keys = keys.split(',').map((text) => keyOf(text.trim()));
    const [first] = this.keys;
    if (!first) throw new Error('a sealer needs a key');
    this.first = first;
  }

  /** Version, key id, nonce, tag and ciphertext. Sealing the same text twice gives two values. */
  seal(text: string, place: SealedPlace): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const header = Buffer.concat([Buffer.of(VERSION), this.first.id]);
    const cipher = createCipheriv(CIPHER, this.first.bytes, nonce);
    cipher.setAAD(Buffer.concat([header, placeBytes(place)]));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws SealBrokenError. */
  open(sealed: Buffer, place: SealedPlace): string {
    const header = sealed.subarray(0, HEADER_BYTES);
    const key = this.keys.find(({ id }) => id.equals(header.subarray(1)));
    if (!key || header[0] !== VERSION) throw new SealBrokenError();
    const tagAt = HEADER_BYTES + NONCE_BYTES;
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(HEADER_BYTES, tagAt), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.concat([header, placeBytes(place)]));
      decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
      return decipher.update(sealed.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SealBrokenError();
    }
  }

  /** Whether the value is sealed with an older key than the first, and should be sealed anew. */
  isOld(sealed: Buffer): boolean {
    return !this.first.id.equals(sealed.subarray(1, HEADER_BYTES));
  }
}

/** The id tells keys apart and says nothing about them: the start of a digest of 32 random bytes. */
function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error('an encryption key has 32 bytes');
  return {
    bytes,
    id: createHash('sha256').update('kiln encryption key').update(bytes).digest().subarray(0, KEY_ID_BYTES),
  };
}
