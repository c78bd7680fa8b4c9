import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import type { TestDatabase } from './index.js';
import { createTestDatabase, testNamespace, testNats } from './index.js';

describe('the test servers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  it('gives every caller its own empty Postgres database', async () => {
    const other = await createTestDatabase();
    expect(other.url).not.toBe(database.url);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table only_here (id int)');
    const { rows } = await client.query("select count(*)::int as tables from pg_tables where schemaname = 'public'");
    expect(rows).toStrictEqual([{ tables: 1 }]);
    await client.end();
    await other.drop();
  });

  it('drops a database that still has connections', async () => {
    const other = await createTestDatabase();
    const client = new Client({ connectionString: other.url });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    await expect(client.query('select 1')).rejects.toThrow();
    const again = new Client({ connectionString: other.url });
    await expect(again.connect()).rejects.toMatchObject({ code: '3D000' });
  });

  it('accepts NATS connections with the credentials of the URL, and rejects others', async () => {
    const url = new URL(await testNats());
    const { username: user, password: pass, host } = url;
    const connection = await connect({ servers: host, user, pass });
    const subject = `${testNamespace()}.echo`;
    connection.subscribe(subject, { callback: (_error, message) => void message.respond(message.data) });
    const reply = await connection.request(subject, 'hello', { timeout: 60_000 });
    expect(reply.string()).toBe('hello');
    await connection.close();
    await expect(connect({ servers: host, reconnect: false })).rejects.toThrow(/authorization/i);
  });

  it('shares one server among all callers of a process', async () => {
    expect(await testNats()).toBe(await testNats());
  });
});
