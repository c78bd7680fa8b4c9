import { describe, expect, it } from '@jest/globals';
import { loadGatewayConfig } from './config.js';

const complete = {
  KILN_HEALTH_PORT: '9100',
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://127.0.0.1/kiln',
  REDIS_URL: 'redis://127.0.0.1:6379',
  KILN_STORAGE_BUCKET: 'kiln',
  KILN_STORAGE_ACCESS_KEY_ID: 'id',
  KILN_STORAGE_SECRET_ACCESS_KEY: 'secret',
  KILN_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('the configuration', () => {
  it('has safe defaults: loopback, 100 requests a second with bursts of 200, 5 GiB, no CORS', () => {
    const config = loadGatewayConfig(complete);
    expect(config.KILN_HOST).toBe('127.0.0.1');
    expect(config.KILN_PORT).toBe(8080);
    expect([config.KILN_RATE_LIMIT_RPS, config.KILN_RATE_LIMIT_BURST]).toStrictEqual([100, 200]);
    expect(config.KILN_MAX_UPLOAD_BYTES).toBe(5_368_709_120);
    expect(config.KILN_CORS_ORIGINS).toStrictEqual([]);
  });

  it('refuses a first key of another shape, says which shape it needs, and never repeats the value', () => {
    const refused = () => loadGatewayConfig({ ...complete, KILN_API_KEY: 'my-secret' });
    expect(refused).toThrow(/KILN_API_KEY must be kiln_live_ or kiln_test_ followed by 43 letters and digits/);
    expect(refused).not.toThrow('my-secret');
  });

  it('refuses certificates in an address of Redis that would not use them, and never repeats the password', () => {
    const load = (REDIS_URL: string) => () => loadGatewayConfig({ ...complete, REDIS_URL });
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
      const refused = load(`redis://:sesame@redis:6379?${name}=/run/secrets/pem`);
      expect(refused).toThrow(/REDIS_URL names certificates, so it must be a rediss:\/\/ address/);
      expect(refused).not.toThrow('sesame');
    }
    for (const url of ['rediss://redis:6379?sslrootcert=/run/secrets/ca', 'redis://:sesame@redis:6379'])
      expect(load(url)).not.toThrow();
  });

  it('takes sentinels of Redis only with the name of their master, and never repeats their password', () => {
    const nodes = { KILN_REDIS_SENTINELS: 'a, b:1, [::1]:2' };
    const named = { ...nodes, KILN_REDIS_SENTINEL_NAME: 'mymaster', KILN_REDIS_SENTINEL_PASSWORD: 'sesame' };
    expect(loadGatewayConfig(complete).KILN_REDIS_SENTINELS).toBeUndefined();
    expect(loadGatewayConfig({ ...complete, ...named }).KILN_REDIS_SENTINELS).toStrictEqual([
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 },
      { host: '::1', port: 2 },
    ]);
    const wrong: [Record<string, string>, RegExp][] = [
      [nodes, /KILN_REDIS_SENTINEL_NAME is required beside KILN_REDIS_SENTINELS/],
      [{ KILN_REDIS_SENTINEL_PASSWORD: 'sesame' }, /KILN_REDIS_SENTINEL_PASSWORD needs KILN_REDIS_SENTINELS/],
      [{ ...nodes, KILN_REDIS_SENTINEL_NAME: 'm', KILN_REDIS_SENTINEL_USER: 'u' }, /_USER needs KILN_REDIS_SENTINEL_P/],
      [{ ...named, KILN_REDIS_SENTINELS: 'redis://:sesame@a:1' }, /KILN_REDIS_SENTINELS must be <host>:<port>/],
      [{ ...named, KILN_REDIS_SENTINELS: 'a:65536' }, /KILN_REDIS_SENTINELS must be <host>:<port>/],
    ];
    for (const [given, message] of wrong) {
      const refused = () => loadGatewayConfig({ ...complete, ...given });
      expect(refused).toThrow(message);
      expect(refused).not.toThrow('sesame');
    }
  });

  it('has bearer tokens off, and takes an issuer only whole: one source of keys and both names', () => {
    expect(loadGatewayConfig(complete).KILN_JWT_JWKS_URL).toBeUndefined();
    const KILN_JWT_JWKS_URL = 'https://issuer.example/jwks';
    const names = { KILN_JWT_ISSUER: 'https://issuer.example', KILN_JWT_AUDIENCE: 'kiln' };
    expect(() => loadGatewayConfig({ ...complete, ...names, KILN_JWT_JWKS_URL })).not.toThrow();
    const wrong: [Record<string, string>, RegExp][] = [
      [{ KILN_JWT_JWKS_URL }, /KILN_JWT_ISSUER is required for bearer tokens\n {2}KILN_JWT_AUDIENCE is required/],
      [names, /KILN_JWT_ISSUER needs KILN_JWT_JWKS_URL or KILN_JWT_PUBLIC_KEY/],
      [{ ...names, KILN_JWT_PUBLIC_KEY: 'x' }, /KILN_JWT_PUBLIC_KEY must be the PEM of a public key/],
      [{ ...names, KILN_JWT_JWKS_URL: 'file:///jwks' }, /KILN_JWT_JWKS_URL /],
    ];
    for (const [given, message] of wrong) expect(() => loadGatewayConfig({ ...complete, ...given })).toThrow(message);
  });

  it('takes origins as a comma-separated list', () => {
    const { KILN_CORS_ORIGINS } = loadGatewayConfig({
      ...complete,
      KILN_CORS_ORIGINS: 'https://a.example, https://b.example',
    });
    expect(KILN_CORS_ORIGINS).toStrictEqual(['https://a.example', 'https://b.example']);
  });
});
