import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.js';

const valid = {
  KILN_STORE_DIR: '/data',
  KILN_STORE_ACCESS_KEY_ID: 'id',
  KILN_STORE_SECRET_ACCESS_KEY: 'secret',
};

test('the least configuration listens on this machine only and is durable', () => {
  assert.deepEqual(readConfig(valid), {
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

test('lists and the notification target are read', () => {
  const config = readConfig({
    ...valid,
    KILN_STORE_BUCKETS: 'one, two',
    KILN_STORE_CORS_ORIGINS: 'https://a.example,https://b.example',
    KILN_STORE_NOTIFY_URL: 'http://127.0.0.1:1/hook',
    KILN_STORE_NOTIFY_TOKEN: 'token',
  });
  assert.deepEqual(config.buckets, ['one', 'two']);
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'https://b.example']);
  assert.deepEqual(config.notify, { url: 'http://127.0.0.1:1/hook', of: 'all', token: 'token' });
});

test('all problems are reported together, and never with a secret in them', () => {
  const environment = {
    KILN_STORE_SECRET_ACCESS_KEY: 'hush',
    KILN_STORE_PORT: 'x',
    KILN_STORE_NOTIFY_URL: 'ftp:hush',
    KILN_STORE_NOTIFY_OF: 'none',
  };
  assert.throws(
    () => readConfig(environment),
    (error: ConfigError) => {
      assert.equal(error.problems.length, 5);
      assert.doesNotMatch(error.message, /hush/);
      return error instanceof ConfigError;
    },
  );
});
