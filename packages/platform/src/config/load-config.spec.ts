import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseVariables, loadConfig, processVariables } from './load-config.js';

const schema = z.object({ ...processVariables, ...databaseVariables });
const complete = {
  KILN_HEALTH_PORT: '9000',
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://localhost/kiln',
};
const directory = mkdtempSync(join(tmpdir(), 'kiln-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(content: string): string {
  const path = join(directory, 'secret');
  writeFileSync(path, content);
  return path;
}

it('reads, converts and freezes', () => {
  const config = loadConfig(schema, complete);
  expect(config.KILN_HEALTH_PORT).toBe(9000);
  expect(config.KILN_ROLE).toBe('all');
  expect(Object.isFrozen(config)).toBe(true);
});

it('reports every problem at once, and never a value', () => {
  const load = () => loadConfig(schema, { KILN_HEALTH_PORT: '70000', NATS_URL: 'http://s3cret@host' });
  for (const name of ['KILN_HEALTH_PORT', 'NATS_URL', 'DATABASE_URL']) expect(load).toThrow(name);
  expect(load).not.toThrow('s3cret');
});

it('an empty variable counts as missing', () => {
  expect(() => loadConfig(schema, { ...complete, DATABASE_URL: '' })).toThrow(/DATABASE_URL/);
});

it('reads a variable from the file that <NAME>_FILE names, without its last line break', () => {
  const { DATABASE_URL: url, ...rest } = complete;
  const load = (content: string) => loadConfig(schema, { ...rest, DATABASE_URL_FILE: fileOf(content) }).DATABASE_URL;
  for (const ending of ['', '\n', '\r\n']) expect(load(`${url}${ending}`)).toBe(url);
  expect(() => load('\n')).toThrow(/DATABASE_URL/);
});

it('refuses a file that cannot be read, and a variable that is also in a file, and shows neither content nor path', () => {
  const missing = join(directory, 's3cret-path');
  const { DATABASE_URL: _url, ...rest } = complete;
  const wrong = () => loadConfig(schema, { ...rest, DATABASE_URL_FILE: missing });
  expect(wrong).toThrow(/DATABASE_URL_FILE: the file cannot be read \(ENOENT\)/);
  expect(wrong).not.toThrow('s3cret');
  const both = () => loadConfig(schema, { ...complete, NATS_URL_FILE: fileOf('nats://s3cret@host') });
  expect(both).toThrow(/NATS_URL: is set, and so is NATS_URL_FILE/);
  expect(both).not.toThrow('s3cret');
});

it('refuses every KILN_ variable that is not a setting of the process, where that is asked for, and shows no value', () => {
  const environment = { ...complete, KILN_DATABSE_CONNECTIONS: 's3cret', KILN_HOST: 's3cret', HOME: '/home' };
  expect(loadConfig(schema, environment).KILN_UNKNOWN_SETTINGS).toBe('ignore');
  const strict = { KILN_UNKNOWN_SETTINGS: 'refuse' };
  const load = () => loadConfig(schema, { ...environment, ...strict });
  expect(load).toThrow(/KILN_DATABSE_CONNECTIONS: is not a setting of this process/);
  expect(load).toThrow(/KILN_HOST: is not a setting/);
  expect(load).not.toThrow(/s3cret|HOME:/);
  const known = { ...complete, ...strict, KILN_LOG_LEVEL_FILE: fileOf('warn') };
  expect(loadConfig(schema, known).KILN_LOG_LEVEL).toBe('warn');
  // A schema of single variables, as that of a command, is not the whole of a process.
  expect(loadConfig(z.object({}), { ...environment, ...strict })).toStrictEqual({});
});
