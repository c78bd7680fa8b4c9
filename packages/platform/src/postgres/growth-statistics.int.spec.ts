// Real: Postgres, without autovacuum of the table. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@kiln/testing';
import type { QueryRunner } from 'typeorm';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import type { Database } from './database.js';
import { migrateService } from './migrate.js';
import { Migration } from './migration.js';
import { statement } from './statement.js';

class CreateNotes1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table notes (text text not null) with (autovacuum_enabled = false)');
    await runner.query('create table "Empty notes" (text text not null)');
  }
}

/** Ten blocks hold 2,260 of them. */
const NEW_NOTES = 3_000;
const add = statement('notes.add', `insert into notes select 'a' from generate_series(1, $1)`);
const known = statement(
  'notes.known',
  `select reltuples as notes from pg_class where oid in ('notes'::regclass, '"Empty notes"'::regclass) order by oid`,
);

describe('statistics of a growing table', () => {
  const migrations = [CreateNotes1795251600000];
  let created: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    created = await createTestDatabase();
    await migrateService({ service: 'sample', migrations, databaseUrl: created.url });
    database = await openSampleDatabase(created.url, { migrations, connectionsMax: 2 });
  });
  afterAll(async () => {
    await database.close();
    await created.drop();
  });

  const knownNotes = async () => (await database.query<{ notes: number }>(known)).map(({ notes }) => notes);
  /** The numbers of statements are those up to the first check, and up to at least one more. */
  async function work(statements: 128 | 1_000 | 5_000): Promise<void> {
    for (let done = 0; done < statements; done++) await database.ping();
  }

  it('are made when it has ten blocks, again when it has doubled, and not in between', async () => {
    expect(await knownNotes()).toStrictEqual([-1, -1]);
    await database.query(add, [NEW_NOTES]);
    await work(128);
    await eventually(async () => expect(await knownNotes()).toStrictEqual([NEW_NOTES, -1]));
    await database.query(add, [NEW_NOTES / 2]);
    await work(1_000);
    expect(await knownNotes()).toStrictEqual([NEW_NOTES, -1]);
    await database.query(add, [NEW_NOTES]);
    await work(5_000);
    await eventually(async () => expect(await knownNotes()).toStrictEqual([2.5 * NEW_NOTES, -1]));
  });
});
