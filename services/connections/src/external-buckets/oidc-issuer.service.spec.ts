import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { ISSUER_URL, newSigningKey } from '../test/identity-pool.js';
import { OidcIssuer, signingKeyOf } from './oidc-issuer.service.js';

describe('tokens of Kiln', () => {
  for (const [type, alg] of [
    ['rsa', 'RS256'],
    ['ec', 'ES256'],
  ] as const) {
    it(`are signed with ${alg}, name one organization and one audience, and end after ten minutes`, async () => {
      const issuer = new OidcIssuer({ issuer: ISSUER_URL, key: newSigningKey(type) });
      const token = await issuer.token('org_1', '//iam.googleapis.com/pool');
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(await issuer.keySet()));
      expect(protectedHeader).toStrictEqual({ alg, kid: expect.stringMatching(/^[\w-]{43}$/), typ: 'JWT' });
      const { iat = 0, exp = 0, jti, ...claims } = payload;
      expect(claims).toStrictEqual({ iss: ISSUER_URL, sub: 'org_1', aud: '//iam.googleapis.com/pool' });
      expect(exp - iat).toBe(600);
      expect(jti).not.toBe(
        (await jwtVerify(await issuer.token('org_1', 'a'), createLocalJWKSet(await issuer.keySet()))).payload.jti,
      );
    });

    it(`can be checked by a key set without the private part of the ${type} key`, async () => {
      const issuer = new OidcIssuer({ issuer: ISSUER_URL, key: newSigningKey(type) });
      const { keys } = await issuer.keySet();
      const [key = {}] = keys;
      const parts = type === 'rsa' ? ['n', 'e'] : ['crv', 'x', 'y'];
      expect(Object.keys(key).toSorted()).toStrictEqual([...parts, 'kty', 'kid', 'alg', 'use'].toSorted());
    });
  }

  it('are not signed with a weak key, a key of another kind, or a public key', () => {
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const refused = [
      generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export(pem),
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pem),
      generateKeyPairSync('ed25519').privateKey.export(pem),
      generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
      '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n',
      'secret',
    ];
    for (const key of refused) expect(signingKeyOf(key)).toBeNull();
  });
});
