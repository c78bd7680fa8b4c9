import { expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { setImmediate } from 'node:timers/promises';
import { RedisMaster } from './redis-master.adapter.js';
import { urlOf } from './redis-sentinels.config.js';

const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });

it('while the sentinels do not answer, commands fail at once', async () => {
  const never = new Promise<never>(() => undefined);
  const redis = new RedisMaster('redis://a', { master: () => never, next: () => {}, close: () => {} }, logger);
  await setImmediate();
  expect(redis.isReady).toBe(false);
  for (const command of [
    redis.eval('return 1'),
    redis.evalSha('sha'),
    redis.set('key', 'value'),
    redis.zRem('key', 'member'),
  ]) {
    await expect(command).rejects.toThrow('the sentinels have named no master of Redis yet');
  }
  redis.destroy();
});

it('the address of the master has the login, the database and the certificates of REDIS_URL', () => {
  const url = 'rediss://kiln:p%40ss@redis/3?sslrootcert=/ca.crt';
  expect(urlOf(url, { host: '10.0.0.1', port: 6380 })).toBe('rediss://kiln:p%40ss@10.0.0.1:6380/3?sslrootcert=/ca.crt');
  expect(urlOf(url, { host: '::1', port: 6379 })).toBe('rediss://kiln:p%40ss@[::1]:6379/3?sslrootcert=/ca.crt');
});
