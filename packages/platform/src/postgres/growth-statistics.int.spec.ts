// Real: Postgres, without autovacuum of the table. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@kiln/testing';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import type { Database } from './database.js';
import { GrowthStatistics } from './growth-statistics.js';
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
  let pool: pg.Pool;
  beforeAll(async () => {
    created = await createTestDatabase();
    await migrateService({ service: 'sample', migrations, databaseUrl: created.url });
    database = await openSampleDatabase(created.url, { migrations, connectionsMax: 2 });
    pool = new pg.Pool({ connectionString: created.url, options: '-c search_path=sample', max: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await database.close();
    await created.drop();
  });

  const knownNotes = async () => (await database.query<{ notes: number }>(known)).map(({ notes }) => notes);

  it('are made when it has ten blocks, again when it has doubled, and not in between', async () => {
    const statistics = new GrowthStatistics(pool);
    /** No check runs beside an insertion, whose rows it could not count. */
    const afterAdding = async (notes: number) => {
      await database.query(add, [notes]);
      await statistics.refresh();
      return knownNotes();
    };
    expect(await knownNotes()).toStrictEqual([-1, -1]);
    expect(await afterAdding(NEW_NOTES)).toStrictEqual([NEW_NOTES, -1]);
    expect(await afterAdding(NEW_NOTES / 2)).toStrictEqual([NEW_NOTES, -1]);
    expect(await afterAdding(NEW_NOTES)).toStrictEqual([2.5 * NEW_NOTES, -1]);
  });

  it('are checked by a process after 128 of its statements', async () => {
    await database.query(add, [10 * NEW_NOTES]);
    expect(await knownNotes()).toStrictEqual([2.5 * NEW_NOTES, -1]);
    for (let done = 0; done < 128; done++) await database.ping();
    await eventually(async () => expect(await knownNotes()).toStrictEqual([12.5 * NEW_NOTES, -1]));
  });
});
