import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from './config.js';

const valid = {
  KILN_STORE_DIR: '/data',
  KILN_STORE_ACCESS_KEY_ID: 'id',
  KILN_STORE_SECRET_ACCESS_KEY: 'secret',
};

test('with the minimal configuration, the store listens on loopback only and is durable', () => {
  expect(readConfig(valid)).toStrictEqual({
    directory: '/data',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    port: 9000,
    host: '127.0.0.1',
    durable: true,
    buckets: [],
    corsOrigins: ['*'],
  });
});

test('lists and the notification URL are parsed', () => {
  const config = readConfig({
    ...valid,
    KILN_STORE_BUCKETS: 'one, two',
    KILN_STORE_CORS_ORIGINS: 'https://a.example,https://b.example',
    KILN_STORE_NOTIFY_URL: 'http://127.0.0.1:1/hook',
    KILN_STORE_NOTIFY_TOKEN: 'token',
  });
  expect(config.buckets).toStrictEqual(['one', 'two']);
  expect(config.corsOrigins).toStrictEqual(['https://a.example', 'https://b.example']);
  expect(config.notify).toStrictEqual({ url: 'http://127.0.0.1:1/hook', of: 'all', token: 'token' });
});

test('all problems are reported together, without secrets', () => {
  const environment = {
    KILN_STORE_SECRET_ACCESS_KEY: 'hush',
    KILN_STORE_PORT: 'x',
    KILN_STORE_NOTIFY_URL: 'ftp:hush',
    KILN_STORE_NOTIFY_OF: 'none',
  };
  const read = () => readConfig(environment);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(expect.objectContaining({ problems: Array.from({ length: 5 }, () => expect.any(String)) }));
  expect(read).not.toThrow('hush');
});
