import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConnectionsConfig } from './config.js';
import { newSigningKey } from './test/identity-pool.js';

const complete = {
  KILN_HEALTH_PORT: '9000',
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://localhost/kiln',
  KILN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const KILN_CONNECTIONS_OIDC_ISSUER = 'https://kiln.example';
const load = (given: Record<string, string>) => () => loadConnectionsConfig({ ...complete, ...given });

it('an issuer has an https URL and a key, or neither', () => {
  const key = newSigningKey();
  expect(load({})().KILN_CONNECTIONS_OIDC_ISSUER).toBeUndefined();
  expect(load({ KILN_CONNECTIONS_OIDC_ISSUER, KILN_CONNECTIONS_OIDC_KEY: key })().KILN_CONNECTIONS_OIDC_KEY).toBe(key);
  expect(load({ KILN_CONNECTIONS_OIDC_ISSUER })).toThrow(/KILN_CONNECTIONS_OIDC_KEY:? is required/);
  expect(load({ KILN_CONNECTIONS_OIDC_KEY: key })).toThrow(/KILN_CONNECTIONS_OIDC_ISSUER:? is required/);
  const plain = { KILN_CONNECTIONS_OIDC_ISSUER: 'http://kiln.example', KILN_CONNECTIONS_OIDC_KEY: key };
  expect(load(plain)).toThrow(/KILN_CONNECTIONS_OIDC_ISSUER:? must be an https URL/);
});

it('the key of the issuer is read from a file, and one that cannot sign is refused without being shown', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-config-'));
  const path = join(directory, 'key.pem');
  try {
    const key = newSigningKey('rsa');
    writeFileSync(path, key);
    const config = load({ KILN_CONNECTIONS_OIDC_ISSUER, KILN_CONNECTIONS_OIDC_KEY_FILE: path })();
    expect(config.KILN_CONNECTIONS_OIDC_KEY).toBe(key.trimEnd());
    const damaged = load({ KILN_CONNECTIONS_OIDC_ISSUER, KILN_CONNECTIONS_OIDC_KEY: 's3cret' });
    expect(damaged).toThrow(/KILN_CONNECTIONS_OIDC_KEY:? must be a private key in PEM \(PKCS#8\)/);
    expect(damaged).not.toThrow('s3cret');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
