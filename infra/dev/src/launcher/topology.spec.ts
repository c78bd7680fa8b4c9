import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLauncherConfig } from './config.js';
import type { SystemFacts } from './topology.js';
import { environmentOf, processName, topology } from './topology.js';

const system: SystemFacts = {
  gateway: { host: '127.0.0.1', port: 8080, apiKey: 'the-api-key' },
  databaseUrl: 'postgres://database',
  databaseConnections: 10,
  natsUrl: 'nats://bus',
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
  awsIdentity: { AWS_SECRET_ACCESS_KEY: 'aws-secret' },
};

function holdersOf(value: string): string[] {
  return topology
    .filter((description) => Object.values(environmentOf(description, system, 20_000)).includes(value))
    .map(processName);
}

describe('the topology', () => {
  it('gives each secret only to the processes that need it', () => {
    assert.deepEqual(holdersOf('the-api-key'), ['gateway-api']);
    assert.deepEqual(holdersOf('redis://cache'), ['gateway-api']);
    assert.deepEqual(holdersOf('arrival-token'), ['files-api']);
    assert.deepEqual(holdersOf('encryption-key'), [
      'gateway-api',
      'jobs-api',
      'jobs-worker',
      'connections-all',
      'webhooks-all',
    ]);
    assert.deepEqual(holdersOf('the-issuer'), ['gateway-api']);
    assert.deepEqual(holdersOf('aws-secret'), ['connections-all']);
    assert.deepEqual(holdersOf('storage-secret'), ['gateway-api', 'files-api', 'jobs-worker', 'search-api']);
  });

  it('names every process apart', () => {
    assert.equal(new Set(topology.map(processName)).size, topology.length);
  });
});

describe('the launcher configuration', () => {
  it('hands on other KILN_ variables but none that are decided per process', () => {
    const { inherited, awsIdentity } = readLauncherConfig({
      KILN_LOG_LEVEL: 'debug',
      KILN_API_KEY: `kiln_live_${'0'.repeat(43)}`,
      KILN_STORAGE_PUBLIC_ENDPOINT: 'https://files.example',
      KILN_STORAGE_SECRET_ACCESS_KEY: 'secret',
      KILN_ENCRYPTION_KEY: 'secret',
      KILN_TEST_POSTGRES_URL: 'postgres://tests',
      DATABASE_URL: 'postgres://localhost/kiln',
      AWS_SECRET_ACCESS_KEY: 'secret',
      HTTPS_PROXY: 'http://proxy',
    });
    assert.deepEqual(inherited, {
      KILN_LOG_LEVEL: 'debug',
      KILN_STORAGE_PUBLIC_ENDPOINT: 'https://files.example',
      HTTPS_PROXY: 'http://proxy',
    });
    assert.deepEqual(awsIdentity, { AWS_SECRET_ACCESS_KEY: 'secret' });
  });

  it('hands the settings of bearer tokens to the gateway alone', () => {
    const given = { KILN_JWT_JWKS_URL: 'https://issuer.example/keys', KILN_JWT_ISSUER: 'i', KILN_JWT_AUDIENCE: 'a' };
    const { bearerTokens, inherited } = readLauncherConfig(given);
    assert.deepEqual([bearerTokens, inherited], [given, {}]);
    for (const process of topology) {
      const variables = environmentOf(process, { ...system, bearerTokens }, 1);
      assert.equal(variables['KILN_JWT_JWKS_URL'] !== undefined, process.service === 'gateway', processName(process));
    }
  });

  it('gives every process the size of its pool', () => {
    const { databaseConnections } = readLauncherConfig({ KILN_DATABASE_CONNECTIONS: '7' });
    for (const process of topology) {
      const variables = environmentOf(process, { ...system, databaseConnections }, 1);
      assert.equal(variables['KILN_DATABASE_CONNECTIONS'], '7', processName(process));
    }
    assert.throws(() => readLauncherConfig({ KILN_DATABASE_CONNECTIONS: '1' }), { code: 'config_invalid' });
  });

  it('hands on the variables of a store that speaks no S3, to the processes that store', () => {
    const azure = { KILN_STORAGE_PROVIDER: 'azure', KILN_STORAGE_BUCKET: 'kiln', KILN_STORAGE_AZURE_ACCOUNT: 'name' };
    const { external, inherited } = readLauncherConfig({ ...azure, KILN_STORAGE_SECRET_ACCESS_KEY: 'secret' });
    assert.deepEqual(inherited, {});
    assert.ok(external.storage);
    const given = topology.map((process) =>
      environmentOf(process, { ...system, storage: external.storage ?? system.storage }, 1),
    );
    const storing = given.filter((variables) => variables['KILN_STORAGE_PROVIDER'] === 'azure');
    assert.equal(storing.length, holdersOf('storage-secret').length);
    for (const variables of storing) assert.deepEqual({ ...variables, ...azure }, variables);
    assert.ok(given.every((variables) => variables['KILN_STORAGE_SECRET_ACCESS_KEY'] === undefined));
  });

  it('asks for the whole of an external store, all problems together', () => {
    assert.throws(() => readLauncherConfig({ KILN_STORAGE_ENDPOINT: 'https://s3.example', KILN_PORT: '70000' }), {
      code: 'config_invalid',
      message: /KILN_PORT[^]*KILN_STORAGE_BUCKET[^]*KILN_STORAGE_ACCESS_KEY_ID[^]*KILN_STORAGE_SECRET_ACCESS_KEY/,
    });
  });
});
