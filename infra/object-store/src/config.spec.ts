import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('secrets may be in files, without the last line break; a variable that is set in both ways is refused, without its value', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-config-'));
  const path = join(directory, 'secret');
  writeFileSync(path, 'from a file\n');
  const { KILN_STORE_SECRET_ACCESS_KEY: value, ...others } = valid;
  const inFile = { ...others, KILN_STORE_SECRET_ACCESS_KEY_FILE: path };
  expect(readConfig(inFile).secretAccessKey).toBe('from a file');
  expect(() => readConfig({ ...inFile, KILN_STORE_SECRET_ACCESS_KEY: value })).toThrow(
    /KILN_STORE_SECRET_ACCESS_KEY is set, and so is KILN_STORE_SECRET_ACCESS_KEY_FILE(?!.*from a file)/,
  );
  rmSync(directory, { recursive: true });
  expect(() => readConfig(inFile)).toThrow(/KILN_STORE_SECRET_ACCESS_KEY_FILE: the file cannot be read \(ENOENT\)/);
});
