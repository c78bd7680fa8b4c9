// Kiln as an OpenID Connect issuer. Each token names an organization, and identity pools of Google exchange it for access. The owner of a pool
// uploads the public keys, so the URL of the issuer need not be reachable.
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { createPrivateKey, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import type { KeySet } from './domain/key-set.js';

export interface OidcIssuerOptions {
  /** An https URL, which pools compare. */
  issuer: string;
  /** A PKCS#8 private key in PEM. */
  key: string;
}

const TOKEN_SECONDS = 600;

/** Null unless `pem` is a key that can sign tokens. */
export function signingKeyOf(pem: string): { key: KeyObject; alg: 'RS256' | 'ES256' } | null {
  if (!/^\s*-----BEGIN PRIVATE KEY-----/.test(pem)) return null;
  try {
    const key = createPrivateKey(pem);
    const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2_048) return { key, alg: 'RS256' };
    return key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1' ? { key, alg: 'ES256' } : null;
  } catch {
    return null;
  }
}

export class OidcIssuer {
  readonly issuer: string;
  private readonly key: KeyObject;
  private readonly alg: string;
  /** The public key with its id, the thumbprint of RFC 7638. */
  private readonly publicKey: Promise<Record<string, string> & { kid: string }>;

  constructor({ issuer, key: pem }: OidcIssuerOptions) {
    const signing = signingKeyOf(pem);
    if (signing === null) throw new Error('The key of the issuer cannot sign tokens.');
    this.issuer = issuer;
    this.key = signing.key;
    this.alg = signing.alg;
    const jwk = createPublicKey(signing.key).export({ format: 'jwk' }) as Record<string, string>;
    this.publicKey = calculateJwkThumbprint(jwk).then((kid) => ({ ...jwk, kid, alg: signing.alg, use: 'sig' }));
  }

  async keySet(): Promise<KeySet> {
    return { keys: [await this.publicKey] };
  }

  /** `subject` is the organization that the call acts for, never a value that a caller gave. */
  async token(subject: string, audience: string): Promise<string> {
    const { kid } = await this.publicKey;
    const issuedAt = Math.floor(Date.now() / 1_000);
    return new SignJWT()
      .setProtectedHeader({ alg: this.alg, kid, typ: 'JWT' })
      .setIssuer(this.issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .setJti(randomUUID())
      .sign(this.key);
  }
}
