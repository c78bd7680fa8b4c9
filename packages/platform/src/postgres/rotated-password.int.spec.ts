// Real: Postgres, and a login whose password is changed.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, testNamespace, type TestDatabase } from '@kiln/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseVariables, loadConfig } from '../config/load-config.js';
import { z } from 'zod';
import { connectionOptions } from './data-source.js';
import { Database } from './database.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

const login = testNamespace();
const folder = mkdtempSync(join(tmpdir(), 'kiln-password-'));
const path = join(folder, 'database-url');
const backend = statement('test.backend', 'select pg_backend_pid() as pid, session_user::text as login');
let created: TestDatabase;
let operator: pg.Client;
let database: Database;

const write = (password: string) => {
  const address = new URL(created.url);
  [address.username, address.password] = [login, encodeURIComponent(password)];
  writeFileSync(path, `${address.href}\n`);
};
const setPassword = (password: string) => operator.query(`alter role ${login} password '${password}'`);
/** Ends the connections of the login, so that the next statement needs a new one. */
const endConnections = () =>
  operator.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = $1', [login]);

beforeAll(async () => {
  created = await createTestDatabase();
  await migrateService({ service: 'sample', migrations: [], databaseUrl: created.url });
  operator = new pg.Client(created.url);
  await operator.connect();
  await operator.query(`create role ${login} login password 'first/one'`);
  await operator.query(`grant kiln_sample to ${login}`);
  write('first/one');
  const config = loadConfig(z.object(databaseVariables), { DATABASE_URL_FILE: path });
  database = await Database.open({ schema: 'sample', ...connectionOptions(config) }, () => undefined);
});
afterAll(async () => {
  await database.close();
  await operator.query(`drop role ${login}`);
  await operator.end();
  await created.drop();
  rmSync(folder, { recursive: true });
});

it('new connections use the password that the file has then, and open connections keep working', async () => {
  const [before] = await database.query(backend);
  expect(before).toMatchObject({ login });
  await setPassword('second');
  expect(await database.query(backend)).toStrictEqual([before]);
  await endConnections();
  await expect(database.query(backend)).rejects.toThrow();
  await expect(database.dedicatedClient()).rejects.toThrow(/password authentication failed/);
  write('second');
  const [after] = await database.query(backend);
  expect(after).toMatchObject({ login });
  expect(after).not.toStrictEqual(before);
  await (await database.dedicatedClient()).end();
});

it('a file that cannot be read, as while it is replaced, does not change the password', async () => {
  rmSync(path);
  await endConnections();
  await expect(database.dedicatedClient().then((client) => client.end())).resolves.toBeUndefined();
  writeFileSync(path, 'half of an addr');
  await expect(database.dedicatedClient().then((client) => client.end())).resolves.toBeUndefined();
});
