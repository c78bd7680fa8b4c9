// Real: Redis.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, testNamespace, testRedis } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { connectRedis, type Redis } from '../redis/redis.adapter.js';
import { StreamPlaces } from './stream-places.adapter.js';

/** Without an answer in time there is a place. */
const ANSWER_TIMEOUT_MS = 60_000;

describe('the places of streams', () => {
  const namespace = testNamespace();
  let redis: Redis;
  let gateways: [StreamPlaces, StreamPlaces];
  const newGateway = () => new StreamPlaces(redis, namespace, ANSWER_TIMEOUT_MS);
  beforeAll(async () => {
    redis = connectRedis(await testRedis(), createLogger({ service: 'gateway', role: 'api', level: 'silent' }));
    await eventually(() => redis.isReady);
    gateways = [newGateway(), newGateway()];
  });
  afterAll(() => redis.destroy());

  const callerOf = (principal = uuidv7(), tenantId = uuidv7()) => ({ principal, tenantId });
  const takeAll = (caller: ReturnType<typeof callerOf>, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => gateways[at % 2 === 0 ? 0 : 1].take(caller)));
  const refused = { code: 'RATE_LIMITED', retryAfterSeconds: 15 };

  it('are ten for each key, on all gateways together', async () => {
    const caller = callerOf();
    const [first] = await takeAll(caller, 10);
    for (const gateway of gateways) await expect(gateway.take(caller)).rejects.toMatchObject(refused);
    await takeAll(callerOf(uuidv7(), caller.tenantId), 10);
    first?.release();
    await eventually(() => gateways[1].take(caller));
    await expect(gateways[0].take(caller)).rejects.toMatchObject(refused);
  });

  it('are a hundred for each organization', async () => {
    const tenantId = uuidv7();
    for (let key = 0; key < 10; key++) await takeAll(callerOf(uuidv7(), tenantId), 10);
    await expect(gateways[0].take(callerOf(uuidv7(), tenantId))).rejects.toMatchObject(refused);
    await takeAll(callerOf(), 1);
  });

  it('of a gateway that has died are free when their leases have expired; a renewed one is not', async () => {
    const caller = callerOf();
    const dead = await takeAll(caller, 10);
    const key = `${namespace}:{${caller.principal}}:streams`;
    for (const id of await redis.zRange(key, 0, -1)) await redis.zAdd(key, { score: 1, value: id });
    await dead[0]?.renew();
    const living = newGateway();
    await Promise.all(Array.from({ length: 9 }, () => living.take(caller)));
    await expect(living.take(caller)).rejects.toMatchObject(refused);
  });

  it('that are released while they are renewed are free', async () => {
    const caller = callerOf();
    const [first] = await takeAll(caller, 10);
    const renewed = first?.renew();
    first?.release();
    await renewed;
    await eventually(() => gateways[1].take(caller));
  });

  it('are limited by each gateway alone while Redis is away', async () => {
    const caller = callerOf();
    const gone = {
      isReady: false,
      eval: () => Promise.reject(new Error('gone')),
      zRem: () => Promise.reject(new Error('gone')),
    };
    const gateway = new StreamPlaces(gone, namespace);
    const places = await Promise.all(Array.from({ length: 10 }, () => gateway.take(caller)));
    await expect(gateway.take(caller)).rejects.toMatchObject(refused);
    places[0]?.release();
    await gateway.take(caller);
  });
});
