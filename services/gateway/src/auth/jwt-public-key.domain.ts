// Reads a public key. The kind of the key determines its only algorithm.
import { createPublicKey, type KeyObject } from 'node:crypto';

/** Throws unless the text is the PEM of an RSA, P-256 or Ed25519 public key. A line break may be written as `\n`. */
export function publicKeyOf(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new Error('this is a private key');
  const key = createPublicKey(pem.replaceAll(String.raw`\n`, '\n'));
  algorithmOf(key);
  return key;
}

export function algorithmOf(key: KeyObject): 'RS256' | 'ES256' | 'EdDSA' {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048) return 'RS256';
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (type === 'ed25519') return 'EdDSA';
  throw new Error('the key is neither RSA of 2,048 bits or more, nor P-256, nor Ed25519');
}

export function isPublicKey(pem: string): boolean {
  try {
    publicKeyOf(pem);
    return true;
  } catch {
    return false;
  }
}
