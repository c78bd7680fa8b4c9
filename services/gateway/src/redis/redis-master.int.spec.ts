/** @slow */
// Real: a Redis master, its replica, three sentinels, a gateway process, and the operator's command.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, startRedisSentinels, testNamespace, type RedisSentinels } from '@kiln/testing';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { StreamPlaces } from '../event-streams/stream-places.adapter.js';
import { newApiKey } from '../keys/api-key.domain.js';
import { ApiKeyStore } from '../keys/api-key.store.js';
import { revocationKey, Revocations } from '../keys/revocations.adapter.js';
import { TokenBucket } from '../limits/token-bucket.adapter.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { GatewayProcess, openDatabase, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';
import { openRedis } from './open-redis.adapter.js';
import { redisVariables } from './redis-sentinels.config.js';

const schema = z.object(redisVariables);
/** After this time without an answer of the master, its replica is promoted. */
const DOWN_AFTER_MS = 2_000;
const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });

const variablesOf = ({ url, name, addresses, password }: RedisSentinels, change: Record<string, string> = {}) => ({
  REDIS_URL: url,
  KILN_REDIS_SENTINELS: addresses.join(','),
  KILN_REDIS_SENTINEL_NAME: name,
  KILN_REDIS_SENTINEL_PASSWORD: password,
  ...change,
});

describe('Redis with sentinels', () => {
  let servers: RedisSentinels;
  beforeAll(async () => {
    servers = await startRedisSentinels();
  });
  afterAll(() => servers.stop());
  const open = (change?: Record<string, string>) => openRedis(schema.parse(variablesOf(servers, change)), logger);

  it('serves rate limits, revocations and places of streams, as a server without sentinels does', async () => {
    const redis = open({ KILN_REDIS_SENTINEL_USER: servers.user });
    const namespace = testNamespace();
    await eventually(() => redis.isReady);
    const bucket = new TokenBucket(redis, namespace, { add: () => undefined }, 60_000);
    const rate = { perSecond: 0.001, burst: 1 };
    expect(await bucket.take('key', rate)).toMatchObject({ allowed: true, revoked: false });
    expect(await bucket.take('key', rate)).toMatchObject({ allowed: false });
    // It waits if it cannot set the mark.
    await new Revocations(redis, namespace, Infinity).end('key', async () => true);
    expect(await bucket.take('key', rate)).toMatchObject({ revoked: true });
    const places = new StreamPlaces(redis, namespace, 60_000);
    const place = await places.take({ principal: 'key', tenantId: uuidv7() });
    const held = () => redis.eval('return redis.call("ZCARD", KEYS[1])', { keys: [`${namespace}:{key}:streams`] });
    expect(await held()).toBe(1);
    place.release();
    await eventually(async () => expect(await held()).toBe(0));
    redis.destroy();
  });

  it('is found while one sentinel is gone, whichever it is', async () => {
    const [first = '', ...others] = servers.addresses;
    await servers.kill(Number(first.split(':')[1]));
    for (const addresses of [
      [first, ...others],
      [...others, first],
    ]) {
      const redis = open({ KILN_REDIS_SENTINELS: addresses.join(',') });
      await eventually(() => redis.isReady);
      redis.destroy();
    }
  });

  it.each([
    ['a wrong password', { KILN_REDIS_SENTINEL_PASSWORD: 'sesame' }, /WRONGPASS/],
    ['a name that they do not know', { KILN_REDIS_SENTINEL_NAME: 'other' }, /the master other: .*does not know it/],
  ])('is away with %s for the sentinels, and the log says so once, without the password', async (_, change, reason) => {
    // On a busy machine a sentinel may answer too late, and then the log names that reason.
    await eventually(async () => {
      const problems: string[] = [];
      const writing = createLogger(
        { service: 'test', role: 'all', level: 'warn' },
        { write: (line: string) => void problems.push(line) },
      );
      const redis = openRedis(schema.parse(variablesOf(servers, change)), writing);
      try {
        await eventually(() => problems.length > 0);
        expect(problems.join('')).toMatch(reason);
        expect(redis.isReady).toBe(false);
        await expect(redis.zRem('key', 'member')).rejects.toThrow('no master');
        expect(problems.join('')).not.toMatch(/sesame|password-of/);
      } finally {
        redis.destroy();
      }
    });
  });
});

describe('after the master of Redis is killed,', () => {
  let servers: RedisSentinels;
  let surroundings: TestSurroundings;
  let gateway: GatewayProcess;
  let variables: Record<string, string>;
  beforeAll(async () => {
    [servers, surroundings] = await Promise.all([startRedisSentinels(), testSurroundings()]);
    variables = variablesOf(servers);
    gateway = await GatewayProcess.startLimited(surroundings, {
      ...variables,
      KILN_RATE_LIMIT_BURST: '2',
      KILN_RATE_LIMIT_RPS: '0.001',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([servers.stop(), surroundings.close()]);
  });

  const statusOf = async () => (await gateway.fetch('/v1/me')).status;
  const stateOfRedis = async () =>
    ((await (await gateway.fetch('/readyz')).json()) as { checks: { redis: string } }).checks.redis;

  it('the gateway limits rates again on the promoted replica, without a restart, and lets requests pass until then', async () => {
    expect([await statusOf(), await statusOf(), await statusOf()]).toStrictEqual([200, 200, 429]);
    const former = await servers.masterPort();
    await servers.kill(former);
    await eventually(async () => expect(await stateOfRedis()).toBe('away'));
    expect(await statusOf()).toBe(200);
    await servers.setDownAfter(DOWN_AFTER_MS);
    await eventually(async () => expect(await servers.masterPort()).not.toBe(former));
    await eventually(async () => expect(await stateOfRedis()).toBe('ok'));
    await eventually(async () => expect(await statusOf()).toBe(429));
  });

  it("the operator's command sets its marks on the promoted replica", async () => {
    const command = fileURLToPath(new URL('../cli/key.command.js', import.meta.url));
    const { namespace, database } = surroundings;
    const connection = await openDatabase(surroundings);
    const { id: organization } = await new OrganizationStore(connection).create('Acme', 'pro');
    const wishes = { name: 'a', scopes: ['*' as const], expires_at: null };
    const env = { ...variables, DATABASE_URL: database.url, KILN_BUS_NAMESPACE: namespace };
    const redis = openRedis(schema.parse(variables), logger);
    await eventually(() => redis.isReady);
    // On a busy machine the sentinels may answer the command too late.
    await eventually(async () => {
      const { id } = await new ApiKeyStore(connection).create(organization, newApiKey('live').fingerprint, wishes);
      const words = [command, 'revoke', '--org', organization, '--key', id];
      const { stdout } = await promisify(execFile)(process.execPath, words, { env });
      expect(stdout.trim()).toBe(`${id}  revoked`);
      const marks = { keys: [revocationKey(namespace, id)] };
      expect(await redis.eval('return redis.call("EXISTS", KEYS[1])', marks)).toBe(1);
    });
    await connection.close();
    redis.destroy();
  });
});

it('a master that is frozen is left, although its connections stay open', async () => {
  const servers = await startRedisSentinels();
  const redis = openRedis(schema.parse(variablesOf(servers)), logger);
  try {
    await eventually(() => redis.isReady);
    const bucket = new TokenBucket(redis, testNamespace(), { add: () => undefined }, 1_000);
    servers.freeze(await servers.masterPort());
    await servers.setDownAfter(DOWN_AFTER_MS);
    await eventually(async () => expect(await bucket.take('key', { perSecond: 1, burst: 5 })).not.toBeNull());
  } finally {
    redis.destroy();
    await servers.stop();
  }
});
