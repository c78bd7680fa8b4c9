import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { startConnectProxy } from '@kiln/testing';
import { exportSPKI } from 'jose';
import { AUDIENCE, ISSUER, sign, TokenIssuer, type SigningKey } from '../test/token-issuer.js';
import { isPublicKey, publicKeyOf } from './jwt-public-key.domain.js';
import { COOLDOWN_MS, FAILURE_PAUSE_MS, JwtVerifier } from './jwt-verifier.adapter.js';

/** The issuer is in this process, which may stand still on a busy machine. */
const FETCH_TIMEOUT_MS = 60_000;

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const goodClaims = () => ({ iss: ISSUER, aud: AUDIENCE, sub: 'me', exp: Math.floor(Date.now() / 1_000) + 300 });

describe('a bearer token', () => {
  let issuer: TokenIssuer;
  let keys: SigningKey[];
  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    keys = [];
    for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      const key = await issuer.newKey(algorithm, `key-${algorithm}`);
      await issuer.publish(key);
      keys.push(key);
    }
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => issuer.stop());

  const verifierOf = ({ fetchTimeoutMs = FETCH_TIMEOUT_MS } = {}, jwksUrl = issuer.jwksUrl) =>
    new JwtVerifier({ keys: { jwksUrl }, issuer: ISSUER, audience: AUDIENCE, fetchTimeoutMs });
  const firstKey = (): SigningKey => {
    const [first] = keys;
    if (!first) throw new Error('no key');
    return first;
  };
  const refused = (verifier: JwtVerifier, token: string, message: RegExp = /./) =>
    expect(verifier.verify(token)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(message),
    });

  it('is accepted with RS256, ES256 and EdDSA', async () => {
    const verifier = verifierOf();
    for (const key of keys) expect((await verifier.verify(await sign(key, { sub: 'me' }))).sub).toBe('me');
    // The keys are fetched once.
    expect(issuer.asked).toBe(1);
  });

  it('is refused unsigned, and signed with a secret that anyone can read', async () => {
    const verifier = verifierOf();
    await refused(verifier, `${base64url({ alg: 'none' })}.${base64url(goodClaims())}.`);
    const pem = await exportSPKI(firstKey().publicKey);
    for (const alg of ['HS256', 'RS256']) {
      const text = `${base64url({ alg, kid: firstKey().id })}.${base64url(goodClaims())}`;
      const forged = `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
      await refused(verifier, forged);
      const fixed = new JwtVerifier({ keys: { publicKey: createPublicKey(pem) }, issuer: ISSUER, audience: AUDIENCE });
      await refused(fixed, forged);
    }
  });

  it('is refused when it is no token, and when any part of it was changed', async () => {
    const verifier = verifierOf();
    const token = await sign(firstKey(), { sub: 'me' });
    const [head = '', , signature = ''] = token.split('.');
    const other = `${head}.${base64url({ ...goodClaims(), sub: 'you' })}.${signature}`;
    for (const wrong of ['x', 'a.b.c', `${token}x`, other]) await refused(verifier, wrong);
  });

  it('is refused when it has expired, never expires, is not valid yet, or is meant for others', async () => {
    const verifier = verifierOf();
    const now = Math.floor(Date.now() / 1_000);
    await refused(verifier, await sign(firstKey(), { exp: now - 60 }), /has expired/);
    await refused(verifier, await sign(firstKey(), { exp: undefined }), /claim exp/);
    await refused(verifier, await sign(firstKey(), { nbf: now + 60 }), /claim nbf/);
    await refused(verifier, await sign(firstKey(), { iss: 'https://other.example' }), /claim iss/);
    await refused(verifier, await sign(firstKey(), { aud: 'other' }), /claim aud/);
    await refused(verifier, await sign(firstKey(), { aud: undefined }), /claim aud/);
  });

  it('is accepted from a new key once it is published, and the issuer is not asked for each unknown one', async () => {
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const verifier = verifierOf();
    await verifier.verify(await sign(firstKey(), {}));
    const rotated = await issuer.newKey('ES256', 'rotated');
    const token = await sign(rotated, {});
    const askedBefore = issuer.asked;
    for (let times = 0; times < 5; times++) await refused(verifier, token);
    expect(issuer.asked - askedBefore).toBe(0);
    await issuer.publish(rotated);
    now += COOLDOWN_MS;
    await verifier.verify(token);
    expect(issuer.asked - askedBefore).toBe(1);
    issuer.withdraw(rotated);
  });

  it('that names no key is accepted from each published key of its kind, as while the issuer changes its key', async () => {
    const [former, next, stranger] = await Promise.all(
      ['former', 'next', 'stranger'].map((id) => issuer.newKey('ES256', id)),
    );
    if (!former || !next || !stranger) throw new Error('no keys');
    await issuer.publish(former);
    await issuer.publish(next);
    const verifier = verifierOf();
    for (const key of [former, next])
      expect((await verifier.verify(await sign(key, { sub: 'me' }, {}))).sub).toBe('me');
    await refused(verifier, await sign(stranger, {}, {}), /is not valid/);
    await refused(verifier, await sign(next, { exp: 1 }, {}), /has expired/);
    issuer.withdraw(former);
    issuer.withdraw(next);
  });

  it('is checked with keys that are fetched through a proxy, and is UNAVAILABLE without the proxy', async () => {
    const token = await sign(firstKey(), { sub: 'me' });
    const verifierBy = (proxyUrl: string) =>
      new JwtVerifier({
        keys: { jwksUrl: issuer.jwksUrl, proxyUrl },
        issuer: ISSUER,
        audience: AUDIENCE,
        fetchTimeoutMs: FETCH_TIMEOUT_MS,
      });
    const proxy = await startConnectProxy();
    try {
      expect((await verifierBy(proxy.url).verify(token)).sub).toBe('me');
      expect(proxy.asked).toStrictEqual([new URL(issuer.jwksUrl).host]);
    } finally {
      await proxy.close();
    }
    await expect(verifierBy('http://127.0.0.1:1').verify(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('is UNAVAILABLE, not refused, while the issuer is silent or gone', async () => {
    const token = await sign(firstKey(), {});
    issuer.silent = true;
    await expect(verifierOf({ fetchTimeoutMs: 100 }).verify(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    issuer.silent = false;
    await expect(verifierOf({}, 'http://127.0.0.1:1/jwks').verify(token)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await verifierOf().verify(token);
  });

  it('that has expired is refused also while the issuer is away', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const away = verifierOf({}, 'http://127.0.0.1:1/jwks');
    await refused(away, await sign(firstKey(), { exp: now - 60 }), /has expired/);
  });

  it('does not ask an issuer again at once that has just failed', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const verifier = verifierOf();
    const token = await sign(firstKey(), {});
    const askedBefore = issuer.asked;
    issuer.status = 503;
    for (let times = 0; times < 5; times++) {
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(issuer.asked - askedBefore).toBe(1);
    issuer.status = 200;
    now += FAILURE_PAUSE_MS;
    await verifier.verify(token);
    expect(issuer.asked - askedBefore).toBe(2);
  });
});

describe('a public key', () => {
  const pem = (key: { export(options: { type: 'spki'; format: 'pem' }): string | Buffer }) =>
    key.export({ type: 'spki', format: 'pem' }).toString();

  it('may be RSA, P-256 or Ed25519, also with \\n in place of line breaks', async () => {
    const ed25519 = generateKeyPairSync('ed25519').publicKey;
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
    for (const key of [ed25519, p256, rsa]) expect(isPublicKey(pem(key))).toBe(true);
    expect(publicKeyOf(pem(p256).replaceAll('\n', String.raw`\n`)).equals(p256)).toBe(true);
  });

  it('may be nothing weaker, of no other kind, and never a private key', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    const secret = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const wrong of [pem(weak), pem(p384), secret, '', 'x']) expect(isPublicKey(wrong)).toBe(false);
  });
});
