// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import { assertMigrated } from './assert-migrated.js';
import { migrateService } from './migrate.js';
import { Migration, type MigrationClass } from './migration.js';
import { statement } from './statement.js';

function migrationOf(
  name: string,
  sql: readonly string[],
  options: { transaction?: false; extensions?: string[] } = {},
) {
  return class extends Migration {
    static readonly phase = 'expand';
    static readonly extensions = options.extensions ?? [];
    readonly name = name;
    override readonly transaction = options.transaction;

    async up(runner: QueryRunner): Promise<void> {
      for (const text of sql) await runner.query(text);
    }
  } as MigrationClass;
}

/** Roles are common to all databases of the server, and service names are letters alone. */
const randomLetters = () => randomUUID().replaceAll(/[^a-f]/g, '');

const createA = migrationOf('CreateA1795251600000', ['create table a (id int)']);
const createB = migrationOf('CreateB1795255200000', ['create table b (id int)'], { extensions: ['pg_trgm'] });

describe('migrations', () => {
  let testDatabase: TestDatabase;
  let databaseUrl: string;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    databaseUrl = testDatabase.url;
  });
  afterAll(() => testDatabase.drop());

  const migrate = (service: string, ...migrations: MigrationClass[]) =>
    migrateService({ service, migrations, databaseUrl, lockPauseMs: 100 });

  /** Sessions of a user, and one that watches them. */
  async function withClients(work: (client: pg.Client, other: pg.Client) => Promise<void>): Promise<void> {
    const clients = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)] as const;
    await Promise.all(clients.map((client) => client.connect()));
    try {
      await work(...clients);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }

  async function waitsForLock(watcher: pg.Client, service: string): Promise<void> {
    const text = `select 1 from pg_stat_activity
      where application_name = $1 and datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await watcher.query(text, [`kiln-migrate-${service}`])).rowCount === 1);
  }

  it('run once and in order when several processes start them at once', async () => {
    const starts = Array.from({ length: 3 }, () => migrate('once', createB, createA));
    const applied = (await Promise.all(starts)).flatMap((result) => result.applied);
    expect(applied).toStrictEqual([
      'CreateOutboxAndInbox1795219260000',
      'CreateDayPartitions1795219320000',
      'CreateA1795251600000',
      'CreateB1795255200000',
    ]);
    expect((await migrate('once', createA, createB)).applied).toStrictEqual([]);
  });

  it('succeed when a migration of another database creates the same role at that moment', async () => {
    const service = `role${randomLetters()}`;
    const other = await createTestDatabase();
    const client = new pg.Client(other.url);
    await client.connect();
    try {
      await withClients(async (watcher) => {
        await client.query(`begin; create role kiln_${service} nologin`);
        const migrated = migrate(service);
        await waitsForLock(watcher, service);
        await client.query('commit');
        expect((await migrated).applied).toHaveLength(2);
      });
    } finally {
      await client.end();
      await other.drop();
    }
  });

  it('that fail leave no changes, and run again when corrected', async () => {
    const broken = migrationOf('B1795255200000', ['create table b (id int)', 'select 1/0']);
    await expect(migrate('failing', createA, broken)).rejects.toThrow(/B1795255200000 failed/);
    const { applied } = await migrate('failing', createA, migrationOf('B1795255200000', ['create table b ()']));
    expect(applied).toStrictEqual(['B1795255200000']);
  });

  it('without a time in the name are rejected before any of them runs', async () => {
    const misnamed = migrate('misnamed', createA, migrationOf('CreateB', ['create table b ()']));
    await expect(misnamed).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('CreateB migration name is wrong') }),
    });
    expect((await migrate('misnamed', createA)).applied).toHaveLength(3);
  });

  it('build an index concurrently outside a transaction, while another process waits for the lock', async () => {
    await migrate('indexed', createA);
    await withClients(async (client, observer) => {
      // Blocks the index build while the other process waits.
      await client.query('begin; insert into indexed.a values (1)');
      const sql = ['drop index concurrently if exists a_id', 'create index concurrently a_id on a (id)'];
      const addIndex = migrationOf('AddIndex1795258800000', sql, { transaction: false });
      const runs = Promise.all([migrate('indexed', createA, addIndex), migrate('indexed', createA, addIndex)]);
      await waitsForLock(observer, 'indexed');
      const migrating = `select 1 from pg_stat_activity
        where application_name = 'kiln-migrate-indexed' and datname = current_database()`;
      await eventually(async () => (await observer.query(migrating)).rowCount === 2);
      await client.query('commit');
      const applied = (await runs).flatMap((result) => result.applied);
      expect(applied).toStrictEqual(['AddIndex1795258800000']);
      const { rows } = await client.query(
        `select indisvalid from pg_index where indexrelid = 'indexed.a_id'::regclass`,
      );
      expect(rows).toStrictEqual([{ indisvalid: true }]);
    });
  });

  it('that wait for a lock stop neither the table nor the migration of another schema, and are tried until they get it', async () => {
    await migrate('locked', createA);
    await withClients(async (backup, reader) => {
      await backup.query('begin; lock table locked.a in access share mode');
      const migrated = migrate('locked', createA, migrationOf('B1795255200000', ['alter table a add column b int']));
      await waitsForLock(reader, 'locked');
      expect((await migrate('unlocked', createA)).applied).toHaveLength(3);
      // This statement waits behind the migration's. It ends although the backup has not.
      await reader.query('select * from locked.a');
      await backup.query('commit');
      expect((await migrated).applied).toStrictEqual(['B1795255200000']);
    });
  });

  it('whose statements differ from those that made the database are refused, by the migration and by the start', async () => {
    const another = migrationOf('CreateA1795251600000', ['create table a (id bigint)']);
    const reformatted = migrationOf('CreateA1795251600000', ['create table a\n  (id int) -- as before']);
    await migrate('formed', createA);
    const open = (form: MigrationClass) => openSampleDatabase(databaseUrl, { schema: 'formed', migrations: [form] });
    const [same, other] = await Promise.all([open(reformatted), open(another)]);
    const refused =
      /^schema formed was made by another form of the migration CreateA1795251600000 \(checksum [0-9a-f]+; this release has [0-9a-f]+\)/;
    try {
      expect((await migrate('formed', reformatted)).applied).toStrictEqual([]);
      await assertMigrated(same);
      await expect(migrate('formed', another, createB)).rejects.toThrow(refused);
      await expect(assertMigrated(other)).rejects.toThrow(refused);
      await other.query(statement('', 'drop table migration_checksums'));
      await expect(assertMigrated(same)).rejects.toThrow(/checksum none/);
      await expect(migrate('formed', createA)).rejects.toThrow(/checksum none/);
    } finally {
      await Promise.all([same.close(), other.close()]);
    }
  });

  it('that are pending keep a service from starting', async () => {
    await migrate('pending', createA);
    const open = (...migrations: MigrationClass[]) =>
      openSampleDatabase(databaseUrl, { schema: 'pending', migrations });
    const [older, newer] = await Promise.all([open(createA), open(createA, createB)]);
    try {
      await expect(assertMigrated(newer)).rejects.toThrow(/pending migrations: CreateB1795255200000/);
      await assertMigrated(older);
    } finally {
      await Promise.all([older.close(), newer.close()]);
    }
  });

  it('that never ran keep a service from starting', async () => {
    await expect(openSampleDatabase(databaseUrl, { schema: 'nowhere' })).rejects.toThrow(
      /Run the migrate command first/,
    );
  });

  it('give each service a role that cannot read another service’s schema', async () => {
    await migrate('mine', createA);
    await migrate('theirs', createA);
    const database = await openSampleDatabase(databaseUrl, { schema: 'mine' });
    try {
      expect(await database.query(statement('own', 'select * from a'))).toStrictEqual([]);
      await expect(database.query(statement('other', 'select * from theirs.a'))).rejects.toThrow(/permission denied/);
    } finally {
      await database.close();
    }
  });
});
