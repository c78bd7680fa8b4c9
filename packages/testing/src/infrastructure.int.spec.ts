import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import type { TestDatabase } from './index.js';
import { createTestDatabase, testNamespace, testNats } from './index.js';

describe('the test servers', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(async () => {
    await database.drop();
  });

  it('gives every caller an empty Postgres database of its own', async () => {
    const other = await createTestDatabase();
    assert.notEqual(other.url, database.url);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table only_here (id int)');
    const { rows } = await client.query("select count(*)::int as tables from pg_tables where schemaname = 'public'");
    assert.deepEqual(rows, [{ tables: 1 }]);
    await client.end();
    await other.drop();
  });

  it('drops a database that still has connections', async () => {
    const other = await createTestDatabase();
    const client = new Client({ connectionString: other.url });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    await assert.rejects(client.query('select 1'));
    const again = new Client({ connectionString: other.url });
    await assert.rejects(again.connect(), { code: '3D000' });
  });

  it('answers over NATS with the credentials of the URL, and refuses without', async () => {
    const url = new URL(await testNats());
    const { username: user, password: pass, host } = url;
    const connection = await connect({ servers: host, user, pass });
    const subject = `${testNamespace()}.echo`;
    connection.subscribe(subject, { callback: (_error, message) => void message.respond(message.data) });
    const reply = await connection.request(subject, 'hello', { timeout: 2_000 });
    assert.equal(reply.string(), 'hello');
    await connection.close();
    await assert.rejects(connect({ servers: host, reconnect: false }), /authorization/i);
  });

  it('keeps one server for all callers of a process', async () => {
    assert.equal(await testNats(), await testNats());
  });
});
