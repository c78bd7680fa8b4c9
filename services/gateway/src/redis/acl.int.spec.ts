// Real: Redis, with a user that has the rights named in k8s/README.md.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, testNamespace, testRedis } from '@kiln/testing';
import { readFileSync } from 'node:fs';
import { StreamPlaces } from '../event-streams/stream-places.adapter.js';
import { Revocations } from '../keys/revocations.adapter.js';
import { TokenBucket } from '../limits/token-bucket.adapter.js';
import { connectRedis, type Redis } from './redis.adapter.js';

const namespace = testNamespace();
const rate = { perSecond: 0.001, burst: 1 };
const logger = createLogger({ service: 'test', role: 'all', level: 'fatal' });
let administrator: Redis;
let client: Redis;

beforeAll(async () => {
  const url = await testRedis();
  administrator = connectRedis(url, logger);
  await eventually(() => administrator.isReady);
  const documented = readFileSync(new URL('../../../../k8s/README.md', import.meta.url), 'utf8');
  const rules =
    /^ *ACL SETUSER kiln on >PASSWORD (.*)$/m.exec(documented)?.[1]?.replace('~kiln:', `~${namespace}:`) ?? '';
  await administrator.sendCommand(['ACL', 'SETUSER', namespace, 'on', '>secret', ...rules.split(' ')]);
  const address = new URL(url);
  [address.username, address.password] = [namespace, 'secret'];
  client = connectRedis(address.href, logger);
  await eventually(() => client.isReady);
});
afterAll(async () => {
  client.destroy();
  await administrator.sendCommand(['ACL', 'DELUSER', namespace]);
  administrator.destroy();
});

it('the documented rights are enough for rate limits, revocations and places of streams', async () => {
  const bucket = new TokenBucket(client, namespace, { add: () => undefined }, 60_000);
  expect(await bucket.take('key', rate)).toMatchObject({ allowed: true, revoked: false });
  expect(await bucket.take('key', rate)).toMatchObject({ allowed: false });
  // It waits if it cannot set the mark.
  await new Revocations(client, namespace, Infinity).end('key', async () => true);
  expect(await bucket.take('key', rate)).toMatchObject({ revoked: true });
  const places = new StreamPlaces(client, namespace, 60_000);
  const place = await places.take({ principal: 'key', tenantId: '01890a5d-ac96-774b-bcce-b302099a8057' });
  const held = () => administrator.keys(`${namespace}:*stream*`);
  expect(await held()).not.toStrictEqual([]);
  place.release();
  await eventually(async () => expect(await held()).toStrictEqual([]));
});

it('the documented rights include no key of another application, and no command for operators', async () => {
  await expect(client.set('other', '1')).rejects.toThrow(/NOPERM/);
  await expect(client.flushAll()).rejects.toThrow(/NOPERM/);
  await expect(client.keys('*')).rejects.toThrow(/NOPERM/);
});
