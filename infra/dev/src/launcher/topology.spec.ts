import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readLauncherConfig } from './config.js';
import type { SystemFacts } from './topology.js';
import { environmentOf, processName, topology } from './topology.js';

const system: SystemFacts = {
  gateway: { host: '127.0.0.1', port: 8080, apiKey: 'the-api-key' },
  databaseUrl: 'postgres://database',
  databaseConnections: 10,
  natsUrlOf: (service) => `nats://${service}@bus`,
  redisUrl: 'redis://cache',
  storage: {
    endpoint: 'http://objects',
    region: 'us-east-1',
    bucket: 'kiln',
    accessKeyId: 'id',
    secretAccessKey: 'storage-secret',
    forcePathStyle: true,
  },
  storageEventsToken: 'arrival-token',
  scratchDirectory: '/scratch',
  encryptionKey: 'encryption-key',
  bearerTokens: { KILN_JWT_ISSUER: 'the-issuer' },
  redisSentinels: {},
  ownIdentity: { AWS_SECRET_ACCESS_KEY: 'aws-secret' },
};

function holdersOf(value: string): string[] {
  return topology
    .filter((description) => Object.values(environmentOf(description, system, 20_000)).includes(value))
    .map(processName);
}

describe('the topology', () => {
  it('gives each secret only to the processes that need it', () => {
    expect(holdersOf('the-api-key')).toStrictEqual(['gateway-api']);
    expect(holdersOf('nats://jobs@bus')).toStrictEqual(['jobs-api', 'jobs-worker']);
    expect(holdersOf('nats://webhooks@bus')).toStrictEqual(['webhooks-all']);
    expect(holdersOf('redis://cache')).toStrictEqual(['gateway-api']);
    expect(holdersOf('arrival-token')).toStrictEqual(['files-api']);
    expect(holdersOf('encryption-key')).toStrictEqual([
      'gateway-api',
      'jobs-api',
      'jobs-worker',
      'search-api',
      'connections-all',
      'webhooks-all',
    ]);
    expect(holdersOf('the-issuer')).toStrictEqual(['gateway-api']);
    expect(holdersOf('aws-secret')).toStrictEqual(['connections-all']);
    expect(holdersOf('storage-secret')).toStrictEqual(['gateway-api', 'files-api', 'jobs-worker', 'search-api']);
  });

  it('gives every process a unique name', () => {
    expect(new Set(topology.map(processName)).size).toBe(topology.length);
  });
});

describe('the launcher configuration', () => {
  it('passes on other KILN_ variables, except those that are set per process', () => {
    const { inherited, ownIdentity } = readLauncherConfig({
      KILN_LOG_LEVEL: 'debug',
      KILN_API_KEY: `kiln_live_${'0'.repeat(43)}`,
      KILN_STORAGE_PUBLIC_ENDPOINT: 'https://files.example',
      KILN_STORAGE_SECRET_ACCESS_KEY: 'secret',
      KILN_ENCRYPTION_KEY: 'secret',
      KILN_TEST_POSTGRES_URL: 'postgres://tests',
      DATABASE_URL: 'postgres://localhost/kiln',
      AWS_SECRET_ACCESS_KEY: 'secret',
      KILN_CONNECTIONS_OIDC_KEY_FILE: '/run/secrets/oidc-key',
      HTTPS_PROXY: 'http://proxy',
    });
    expect(inherited).toStrictEqual({
      KILN_LOG_LEVEL: 'debug',
      KILN_STORAGE_PUBLIC_ENDPOINT: 'https://files.example',
      HTTPS_PROXY: 'http://proxy',
    });
    expect(ownIdentity).toStrictEqual({
      AWS_SECRET_ACCESS_KEY: 'secret',
      KILN_CONNECTIONS_OIDC_KEY_FILE: '/run/secrets/oidc-key',
    });
  });

  it('reads its own variables from files, and passes the names of other files on', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kiln-config-'));
    try {
      const path = join(directory, 'encryption-key');
      writeFileSync(path, 'secret\n');
      const engines = { KILN_CHAT_KEY_FILE: '/run/secrets/chat-key' };
      const { encryptionKey, inherited } = readLauncherConfig({ ...engines, KILN_ENCRYPTION_KEY_FILE: path });
      expect([encryptionKey, inherited]).toStrictEqual(['secret', engines]);
      const missing = () => readLauncherConfig({ DATABASE_URL_FILE: join(directory, 'missing') });
      expect(missing).toThrow(/DATABASE_URL_FILE: the file cannot be read \(ENOENT\)/);
      const both = { KILN_ENCRYPTION_KEY: 'hush', KILN_ENCRYPTION_KEY_FILE: path };
      expect(() => readLauncherConfig(both)).toThrow(/KILN_ENCRYPTION_KEY is set, and so is KILN_ENCRYPTION_KEY_FILE/);
      expect(() => readLauncherConfig(both)).not.toThrow('hush');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('passes the sentinels of Redis to the gateway only', () => {
    const given = {
      KILN_REDIS_SENTINELS: 'a:1',
      KILN_REDIS_SENTINEL_NAME: 'm',
      KILN_REDIS_SENTINEL_PASSWORD: 'secret',
    };
    const { redisSentinels, inherited } = readLauncherConfig(given);
    expect([redisSentinels, inherited]).toStrictEqual([given, {}]);
    const receivers = topology.filter(
      (process) =>
        environmentOf(process, { ...system, redisSentinels }, 1)['KILN_REDIS_SENTINEL_PASSWORD'] === 'secret',
    );
    expect(receivers).toStrictEqual(topology.filter(({ service }) => service === 'gateway'));
  });

  it('passes the bearer token settings to the gateway only', () => {
    const given = { KILN_JWT_JWKS_URL: 'https://issuer.example/keys', KILN_JWT_ISSUER: 'i', KILN_JWT_AUDIENCE: 'a' };
    const { bearerTokens, inherited } = readLauncherConfig(given);
    expect([bearerTokens, inherited]).toStrictEqual([given, {}]);
    const receivers = topology.filter(
      (process) => environmentOf(process, { ...system, bearerTokens }, 1)['KILN_JWT_JWKS_URL'] !== undefined,
    );
    expect(receivers).toStrictEqual(topology.filter(({ service }) => service === 'gateway'));
  });

  it('gives every process the size of its pool', () => {
    const { databaseConnections } = readLauncherConfig({ KILN_DATABASE_CONNECTIONS: '7' });
    const without = topology.filter(
      (process) => environmentOf(process, { ...system, databaseConnections }, 1)['KILN_DATABASE_CONNECTIONS'] !== '7',
    );
    expect(without.map(processName)).toStrictEqual([]);
    expect(() => readLauncherConfig({ KILN_DATABASE_CONNECTIONS: '1' })).toThrow(
      expect.objectContaining({ code: 'config_invalid' }),
    );
  });

  it('passes the variables of a store without S3 protocol to the processes that use the store', () => {
    const identity = { AZURE_CLIENT_ID: 'client', AZURE_TENANT_ID: 'tenant', AZURE_FEDERATED_TOKEN_FILE: '/token' };
    const place = { KILN_STORAGE_BUCKET: 'kiln', KILN_STORAGE_AZURE_ACCOUNT: 'name' };
    const azure = { KILN_STORAGE_PROVIDER: 'azure', ...place, ...identity };
    const { external, inherited } = readLauncherConfig({ ...azure, KILN_STORAGE_SECRET_ACCESS_KEY: 'secret' });
    expect(inherited).toStrictEqual({});
    if (!external.storage) throw new Error('no storage');
    const given = topology.map((process) =>
      environmentOf(process, { ...system, storage: external.storage ?? system.storage }, 1),
    );
    const storing = given.filter((variables) => variables['KILN_STORAGE_PROVIDER'] === 'azure');
    expect(storing).toHaveLength(holdersOf('storage-secret').length);
    for (const variables of storing) expect({ ...variables, ...azure }).toStrictEqual(variables);
    for (const variables of given) expect(variables).not.toHaveProperty('KILN_STORAGE_SECRET_ACCESS_KEY');
  });

  it('refuses a namespace for its own NATS server, whose users have permissions for one', () => {
    const given = { KILN_BUS_NAMESPACE: 'other' };
    expect(() => readLauncherConfig(given)).toThrow(/KILN_BUS_NAMESPACE needs NATS_URL/);
    expect(readLauncherConfig({ ...given, NATS_URL: 'nats://a:b@c:1' }).inherited).toStrictEqual(given);
  });

  it('accepts the servers of a NATS cluster, separated by commas', () => {
    const cluster = 'nats://a:b@c:1,nats://a:b@d:1';
    expect(readLauncherConfig({ NATS_URL: cluster }).external.natsUrl).toBe(cluster);
    expect(() => readLauncherConfig({ NATS_URL: 'nats://a:b@c:1,http://d:1' })).toThrow(/NATS_URL must/);
  });

  it('requires all variables of an external store, and reports all problems together', () => {
    expect(() => readLauncherConfig({ KILN_STORAGE_ENDPOINT: 'https://s3.example', KILN_PORT: '70000' })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(
          /KILN_PORT[^]*KILN_STORAGE_BUCKET[^]*KILN_STORAGE_ACCESS_KEY_ID[^]*KILN_STORAGE_SECRET_ACCESS_KEY/,
        ),
      }),
    );
  });
});
