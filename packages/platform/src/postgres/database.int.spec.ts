// Real: Postgres, behind a proxy that can be cut. Faked: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, openCuttable, schemaDifferences, type TestDatabase } from '@kiln/testing';
import { Column, Entity, Index, PrimaryColumn, type QueryRunner } from 'typeorm';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import { isUniqueViolation } from './database-errors.js';
import type { Database } from './database.js';
import { migrateService } from './migrate.js';
import { Migration } from './migration.js';
import { statement } from './statement.js';

@Entity('notes')
@Index('notes_text', ['text'], { unique: true })
class Note {
  @PrimaryColumn('integer')
  id!: number;

  @Column('text')
  text!: string;
}

class CreateNotes1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table notes (id integer primary key, text text not null)');
    await runner.query('create unique index notes_text on notes (text)');
  }
}

const insert = statement('notes.insert', 'insert into notes (id, text) values ($1, $2)');
const texts = statement('notes.texts', 'select text from notes order by id');
const backend = statement('notes.backend', 'select pg_backend_pid() as pid');

const unavailable = { code: 'UNAVAILABLE' };

/** The error that the promise rejects with. */
const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not reject.')),
    (error: Error) => error,
  );

describe('the database', () => {
  const schema = { entities: [Note], migrations: [CreateNotes1795251600000] };
  let created: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    created = await createTestDatabase();
    await migrateService({ service: 'sample', migrations: schema.migrations, databaseUrl: created.url });
    database = await openSampleDatabase(created.url, { ...schema, connectionsMax: 2 });
  });
  afterAll(async () => {
    await database.close();
    await created.drop();
  });
  beforeEach(() => database.query(statement('', 'truncate notes')));

  const notes = () => database.query<{ text: string }>(texts);
  const repository = () => database.dataSource.getRepository(Note);

  it('commits the writes of a repository and a named statement in one transaction', async () => {
    await database.transaction(async (transaction) => {
      await transaction.manager.getRepository(Note).insert({ id: 1, text: 'by a repository' });
      await transaction.query(insert, [2, 'by a statement']);
      await transaction.manager.save(Note, { id: 3, text: 'saved' });
      expect(await notes()).toStrictEqual([]);
    });
    expect(await notes()).toStrictEqual([{ text: 'by a repository' }, { text: 'by a statement' }, { text: 'saved' }]);
  });

  it('rolls both back if the transaction fails', async () => {
    const failing = database.transaction(async (transaction) => {
      await transaction.manager.save(Note, { id: 1, text: 'by a repository' });
      await transaction.query(insert, [2, 'by a statement']);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow(/changed my mind/);
    expect(await notes()).toStrictEqual([]);
  });

  it('commits a pipelined transaction with its last statement, or rolls it back if that fails', async () => {
    const add = (...ids: number[]) =>
      database.pipelined(async (transaction) => {
        for (const id of ids.slice(0, -1)) await transaction.query(insert, [id, `note ${id}`]);
        expect(await notes()).toHaveLength(0);
        await transaction.commit(insert, [ids.at(-1), 'the last']);
      });
    await expect(add(1, 2, 1)).rejects.toThrow();
    await add(1, 2);
    expect(await notes()).toStrictEqual([{ text: 'note 1' }, { text: 'the last' }]);
    const read = () => database.pipelined((transaction) => transaction.query<{ text: string }>(texts));
    expect(await Promise.all([read(), read(), read()])).toStrictEqual(Array(3).fill(await notes()));
  });

  it('undoes only a savepoint’s own work', async () => {
    await database.transaction(async (transaction) => {
      await transaction.query(insert, [1, 'kept']);
      const inner = transaction.savepoint(() => transaction.manager.insert(Note, { id: 1, text: 'twice' }));
      expect(isUniqueViolation(await errorOf(inner), 'notes_pkey')).toBe(true);
      await transaction.query(insert, [2, 'also kept']);
    });
    expect(await notes()).toStrictEqual([{ text: 'kept' }, { text: 'also kept' }]);
  });

  it('identifies a repository’s unique violation by its index, and keeps query values out of the error', async () => {
    await repository().insert({ id: 1, text: 'a secret' });
    const error = await errorOf(repository().insert({ id: 2, text: 'a secret' }));
    expect(isUniqueViolation(error, 'notes_text')).toBe(true);
    expect(error).not.toHaveProperty('parameters');
    expect(error.message).not.toContain('a secret');
  });

  it('reads a consistent state in a snapshot, and rejects writes in it', async () => {
    const reading = database.transaction(
      async (snapshot) => {
        expect(await snapshot.query(texts)).toStrictEqual([]);
        await repository().insert({ id: 1, text: 'later' });
        expect(await snapshot.manager.count(Note)).toBe(0);
        await snapshot.manager.insert(Note, { id: 2, text: 'x' });
      },
      { snapshot: true },
    );
    const cause = expect.objectContaining({ message: 'cannot execute INSERT in a read-only transaction' });
    await expect(reading).rejects.toMatchObject({ cause });
    expect(await notes()).toHaveLength(1);
  });

  it('is UNAVAILABLE to repositories and statements while it is down, and recovers with the same pool', async () => {
    const way = await openCuttable(created.url);
    const through = await openSampleDatabase(way.url, schema);
    try {
      way.cut();
      const found = through.dataSource.getRepository(Note);
      await expect(found.find()).rejects.toMatchObject(unavailable);
      await expect(through.query(texts)).rejects.toMatchObject(unavailable);
      await expect(through.transaction(({ manager }) => manager.find(Note))).rejects.toMatchObject(unavailable);
      way.mend();
      expect(await found.find()).toStrictEqual([]);
      const lost = through.transaction(async (transaction) => {
        await transaction.query(texts);
        way.cut();
        await transaction.manager.find(Note);
      });
      await expect(lost).rejects.toMatchObject(unavailable);
      way.mend();
      expect(await through.query(texts)).toStrictEqual([]);
    } finally {
      await through.close();
      await way.close();
    }
  });

  it('fails the statement of a dedicated connection that is lost, and the process lives on', async () => {
    const way = await openCuttable(created.url);
    const through = await openSampleDatabase(way.url, { ...schema, connectionsMax: 1 });
    const client = await through.dedicatedClient();
    try {
      way.cut();
      await expect(client.query('select 1')).rejects.toThrow();
    } finally {
      way.mend();
      await client.end();
      await through.close();
      await way.close();
    }
  });

  it('does not reuse a connection after a query timeout', async () => {
    const hasty = await openSampleDatabase(created.url, { ...schema, connectionsMax: 1, statementTimeoutMs: 1_000 });
    // On a busy machine the server may need longer to answer at all.
    const pidOf = () => eventually(async () => (await hasty.query<{ pid: number }>(backend))[0]?.pid);
    try {
      const before = await pidOf();
      // Otherwise the server's timeout would come before the driver's.
      const slow = hasty.dataSource.query('set statement_timeout = 0; select pg_sleep(20)');
      await expect(slow).rejects.toMatchObject(unavailable);
      expect(await pidOf()).not.toBe(before);
    } finally {
      await hasty.close();
    }
  });

  it('has the platform’s tables as the entities define them', async () => {
    expect(await schemaDifferences(database.dataSource)).toStrictEqual([]);
  });
});
