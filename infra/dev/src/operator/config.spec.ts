import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorEnvironment } from './config.js';

const KILN_DATA_DIR = mkdtempSync(join(tmpdir(), 'kiln-operator-'));
afterAll(() => rmSync(KILN_DATA_DIR, { recursive: true }));

const running = { NATS_URL: 'nats://a', DATABASE_URL: 'postgres://a', REDIS_URL: 'redis://a' };
writeFileSync(
  join(KILN_DATA_DIR, 'run.json'),
  JSON.stringify({ nats: { url: 'nats://a' }, postgres: { url: 'postgres://a' }, redis: { url: 'redis://a' } }),
);

it('an operator command gets the addresses of the running system', () => {
  const given = { KILN_DATA_DIR, PATH: '/bin' };
  expect(operatorEnvironment(given)).toStrictEqual({ ...given, ...running });
});

it('what the caller gives, as a value or by a file, takes the place of the address of the running system', () => {
  const given = { KILN_DATA_DIR, NATS_URL: 'nats://own', DATABASE_URL_FILE: '/run/secrets/database' };
  expect(operatorEnvironment(given)).toStrictEqual({ ...given, REDIS_URL: 'redis://a' });
});

it('without a running system, an operator command gets only what the caller gives', () => {
  const given = { KILN_DATA_DIR: join(KILN_DATA_DIR, 'none'), NATS_URL: 'nats://own' };
  expect(operatorEnvironment(given)).toStrictEqual(given);
});
