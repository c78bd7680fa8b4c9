import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';

const valid = {
  KILN_STORE_DIR: '/data',
  KILN_STORE_ACCESS_KEY_ID: 'id',
  KILN_STORE_SECRET_ACCESS_KEY: 'secret',
};

const directory = mkdtempSync(join(tmpdir(), 'kiln-store-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

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

test('an empty list of origins permits none', () => {
  expect(readConfig({ ...valid, KILN_STORE_CORS_ORIGINS: '' }).corsOrigins).toStrictEqual([]);
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

test('secrets may come from files, without their last line break', () => {
  const { KILN_STORE_SECRET_ACCESS_KEY: _secret, ...rest } = valid;
  const config = readConfig({
    ...rest,
    KILN_STORE_SECRET_ACCESS_KEY_FILE: fileOf('secret', 'from a file\r\n'),
    KILN_STORE_NOTIFY_URL: 'http://127.0.0.1:1/hook',
    KILN_STORE_NOTIFY_TOKEN_FILE: fileOf('token', 'token\n'),
  });
  expect([config.secretAccessKey, config.notify?.token]).toStrictEqual(['from a file', 'token']);
});

test('a file that cannot be read, an empty one, and a variable that is also in a file are refused, without path and content', () => {
  const { KILN_STORE_SECRET_ACCESS_KEY: _secret, ...rest } = valid;
  const read = (more: Record<string, string>) => () => readConfig({ ...rest, ...more });
  const missing = read({ KILN_STORE_SECRET_ACCESS_KEY_FILE: join(directory, 'hush') });
  expect(missing).toThrow(/KILN_STORE_SECRET_ACCESS_KEY_FILE: the file cannot be read \(ENOENT\)/);
  expect(missing).not.toThrow('hush');
  const path = fileOf('both', 'hush');
  const both = read({ KILN_STORE_SECRET_ACCESS_KEY: 'hush', KILN_STORE_SECRET_ACCESS_KEY_FILE: path });
  expect(both).toThrow(/KILN_STORE_SECRET_ACCESS_KEY is set, and so is KILN_STORE_SECRET_ACCESS_KEY_FILE/);
  expect(both).not.toThrow('hush');
  expect(read({ KILN_STORE_SECRET_ACCESS_KEY_FILE: fileOf('empty', '\n') })).toThrow(/is missing/);
});
