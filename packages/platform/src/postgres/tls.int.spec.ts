// Real: a Postgres server with TLS. Faked: a server that records what it is sent.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, selfSigned, startOwnPostgres, testPostgres, type OwnServer } from '@kiln/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inCall, RunningCall } from '../bus/current-call.js';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const authority = selfSigned('Own authority');
const stranger = selfSigned('Another authority');
const SESSIONS = `select application_name as name, ssl from pg_stat_ssl join pg_stat_activity using (pid)
  where application_name like 'kiln-sample%' order by 1`;
const pid = statement('test.pid', 'select pg_backend_pid() as pid');
const sleep = statement('test.sleep', 'select pg_sleep(3600)');
const running = statement('test.running', 'select pid from pg_stat_activity where pid = $1');

describe('a database address with sslmode=verify-full', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-tls-'));
  let postgres: OwnServer;
  let url: string;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    url = await postgres.useTls(selfSigned('localhost', authority));
    await eventually(() =>
      migrateService({ service: 'sample', migrations: [], databaseUrl: trusting(authority.cert) }),
    );
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  function trusting(pem: string, address = url): string {
    const path = join(folder, 'ca.pem');
    writeFileSync(path, pem);
    return `${address}?sslmode=verify-full&sslrootcert=${path}`;
  }

  it('encrypts every connection to a server whose certificate an own authority has signed', async () => {
    const database = await openSampleDatabase(trusting(authority.cert));
    const dedicated = await database.dedicatedClient();
    const operator = new pg.Client(postgres.url);
    try {
      await operator.connect();
      const sessions = [
        { name: 'kiln-sample', ssl: true },
        { name: 'kiln-sample-own', ssl: true },
      ];
      expect((await operator.query(SESSIONS)).rows).toStrictEqual(sessions);
    } finally {
      await operator.end();
      await dedicated.end();
      await database.close();
    }
  });

  it('cancels the statement of a late call over TLS too', async () => {
    const options = { connectionsMax: 1, statementTimeoutMs: 3_600_000 };
    const database = await openSampleDatabase(trusting(authority.cert), options);
    try {
      const [session] = await database.query<{ pid: number }>(pid);
      const call = new RunningCall('a-tenant');
      const late = inCall(call, () => database.query(sleep));
      setImmediate(() => setImmediate(() => call.end()));
      await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await eventually(async () => expect(await database.query(running, [session?.pid])).toStrictEqual([]));
    } finally {
      await database.close();
    }
  });

  it('refuses a server whose certificate another authority has signed, and one without TLS', async () => {
    await expect(openSampleDatabase(trusting(stranger.cert))).rejects.toThrow(/verif|signature|certificate/);
    await expect(openSampleDatabase(trusting(authority.cert, await testPostgres()))).rejects.toThrow(
      /does not support SSL/,
    );
  });

  it('sends a server that pretends nothing but the request for TLS', async () => {
    for (const answer of ['N', 'S', 'R\0\0\0\b\0\0\0\x03']) {
      const heard: Buffer[] = [];
      const pretender = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(answer, 'latin1'));
        socket.on('data', (data: Buffer) => {
          heard.push(data);
          if (heard.length > 1) socket.end('not TLS');
        });
      });
      pretender.listen(0, '127.0.0.1');
      await once(pretender, 'listening');
      const { port } = pretender.address() as AddressInfo;
      const address = `postgres://kiln:sesame@localhost:${port}/kiln`;
      await expect(openSampleDatabase(trusting(authority.cert, address))).rejects.toThrow();
      expect(heard[0]).toStrictEqual(SSL_REQUEST);
      expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/sesame|kiln/);
      await new Promise((resolve) => pretender.close(resolve));
    }
  });
});
