// Parses `KILN_ENCRYPTION_KEY`. The first key encrypts new values; all keys decrypt.

const KEY_BYTES = 32;

/** Newest first. */
export function encryptionKeys(text: string): Buffer[] {
  const keys = text.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
  if (keys.some((key) => key.length !== KEY_BYTES)) throw new Error('an encryption key must have 32 bytes');
  return keys;
}
