// Real: Postgres, and PgBouncer in transaction mode in front of it. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestDatabase,
  pgBouncerMissing,
  startPooler,
  type TestDatabase,
  TEST_DATABASE_TIMEOUTS,
} from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { Database } from './database.js';
import { migrateService } from './migrate.js';
import { Migration } from './migration.js';
import { statement } from './statement.js';

class CreateNotes1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table notes (id integer primary key, text text not null)');
  }
}

const insert = statement('notes.insert', 'insert into notes (id, text) values ($1, $2)');
const add = statement('notes.add', 'select $1::int + 1 as sum, pg_backend_pid() as pid');
const where = statement('notes.where', 'select current_user::text as role, current_schema()::text as schema');
/** Ends only by the limit of the server: the driver waits for a minute longer than that. */
const endless = statement('notes.endless', "select pg_sleep('infinity')");

const SERVER_CONNECTIONS = 2;
const missing = await pgBouncerMissing();

(missing === null ? describe : describe.skip)(
  `a pooler in transaction mode${missing === null ? '' : `: ${missing}`}`,
  () => {
    let created: TestDatabase;
    let pooler: Awaited<ReturnType<typeof startPooler>>;
    let database: Database;
    const login = `login_${randomBytes(4).toString('hex')}`;
    const schema = { migrations: [CreateNotes1795251600000] };
    const session = { byIndex: true, statementTimeoutMs: 60_000 };
    const options = (url: string) => ({
      url,
      schema: 'sample',
      connectionsMax: 20,
      pooled: true,
      ...TEST_DATABASE_TIMEOUTS,
      ...session,
    });
    const migrate = (role?: string) =>
      migrateService({
        service: 'sample',
        ...schema,
        databaseUrl: created.url,
        ...(role && { login: { role, session } }),
      });
    beforeAll(async () => {
      created = await createTestDatabase();
      await runAsOwner(`create role ${login} login password 'secret'`);
      await migrate(login);
      const url = new URL(created.url);
      url.username = login;
      url.password = 'secret';
      pooler = await startPooler(url.href, SERVER_CONNECTIONS);
      database = await Database.open(options(pooler.url), () => undefined);
    });
    afterAll(async () => {
      await database?.close();
      await pooler?.stop();
      await runAsOwner(`drop owned by ${login}; drop role ${login}`);
      await created.drop();
    });

    async function runAsOwner(text: string): Promise<void> {
      const client = new pg.Client({ connectionString: created.url });
      await client.connect();
      await client.query(text).finally(() => client.end());
    }

    /** The pooler closes its connections to the server. New ones have the present defaults of their role. */
    async function reconnect(): Promise<void> {
      const url = new URL(pooler.url);
      url.pathname = '/pgbouncer';
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await client.query('reconnect').finally(() => client.end());
    }

    it('gives each session the role and the schema of the service', async () => {
      const sessions = await Promise.all(Array.from({ length: 10 }, () => database.query(where)));
      expect(sessions.flat()).toStrictEqual(
        Array.from({ length: 10 }, () => ({ role: 'kiln_sample', schema: 'sample' })),
      );
    });

    it('runs named statements of twenty clients on two connections of the server', async () => {
      const calls = Array.from({ length: 200 }, (_, at) => database.query<{ sum: number; pid: number }>(add, [at]));
      const rows = (await Promise.all(calls)).flat();
      expect(rows.map(({ sum }) => sum)).toStrictEqual(Array.from({ length: 200 }, (_, at) => at + 1));
      expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    });

    it('keeps transactions apart, also those whose statements travel together', async () => {
      const many = Array.from({ length: 40 }, (_, at) => at);
      await Promise.all(
        many
          .map((at) =>
            at % 2 === 0
              ? database.transaction(async (transaction) => {
                  await transaction.query(insert, [at, 'first']);
                  await transaction.query(insert, [at + 1_000, 'second']);
                  if (at % 4 === 0) throw new Error('undo');
                })
              : database.pipelined(async (transaction) => {
                  await transaction.query(insert, [at, 'first']);
                  await transaction.commit(insert, [at + 1_000, 'second']);
                }),
          )
          .map((work) => work.catch(() => undefined)),
      );
      const rows = await database.query<{ id: number }>(statement('notes.ids', 'select id from notes order by id'));
      const kept = many.filter((at) => at % 4 !== 0);
      expect(rows.map(({ id }) => id)).toStrictEqual([...kept, ...kept.map((at) => at + 1_000)]);
    });

    it('ends a statement at the limit that the role has', async () => {
      await runAsOwner(
        `alter role ${login} in database ${new URL(created.url).pathname.slice(1)} set statement_timeout = 100`,
      );
      await reconnect();
      await expect(database.query(endless)).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: { code: '57014' } });
      await migrate(login);
    });

    it('is refused when its role lacks the settings, with a sentence that says what to do', async () => {
      await runAsOwner(`alter role ${login} in database ${new URL(created.url).pathname.slice(1)} reset search_path`);
      await reconnect();
      await expect(Database.open(options(pooler.url), () => undefined)).rejects.toThrow(
        /The login role of the schema sample has other defaults than its sessions need: search_path\. Run the migrate command with KILN_DATABASE_LOGIN/,
      );
    });

    it('refuses a service that is configured for a direct connection', async () => {
      await expect(Database.open({ ...options(pooler.url), pooled: false }, () => undefined)).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/unsupported startup parameter/) },
      });
    });
  },
);
