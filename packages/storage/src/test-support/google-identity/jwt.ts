// Verifies a JWT with the key set that the owner of a pool uploaded: https://www.rfc-editor.org/rfc/rfc7515
import { createPublicKey, verify } from 'node:crypto';

export interface Claims {
  iss?: string;
  sub?: string;
  aud?: string;
  exp?: number;
  iat?: number;
}

export interface UploadedKeys {
  keys: Record<string, string>[];
}

/** Null unless one of the keys signed it. */
export function verifiedClaims(jwt: string, { keys }: UploadedKeys): Claims | null {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const { alg, kid } = parse<{ alg?: string; kid?: string }>(header);
  const jwk = keys.find((key) => key['kid'] === kid);
  if (jwk === undefined || jwk['alg'] !== alg || (alg !== 'RS256' && alg !== 'ES256')) return null;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const options = alg === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
  const isSigned = verify('sha256', Buffer.from(`${header}.${payload}`), options, Buffer.from(signature, 'base64url'));
  return isSigned ? parse<Claims>(payload) : null;
}

const parse = <T>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
