// Real: Postgres. Faked: nothing.
import { createTestDatabase, type TestDatabase } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { migrationsDirectory, openSampleDatabase } from '../fixtures/test-platform.js';
import { assertMigrated } from './assert-migrated.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

const first = { '202611210900_create_a.sql': '-- kiln: additive\ncreate table a (id int);' };
const second = {
  ...first,
  '202611211000_create_b.sql': '-- kiln: additive\n-- extensions: pg_trgm\ncreate table b (id int);',
};

describe('migrations', () => {
  let testDatabase: TestDatabase;
  let databaseUrl: string;
  before(async () => {
    testDatabase = await createTestDatabase();
    databaseUrl = testDatabase.url;
  });
  after(() => testDatabase.drop());

  const migrate = (service: string, files: Record<string, string>) =>
    migrateService({ service, directory: migrationsDirectory(files), databaseUrl });

  it('run once, in order, however many processes start them at the same time', async () => {
    const results = await Promise.all([migrate('once', second), migrate('once', second), migrate('once', second)]);
    const applied = results.flatMap((result) => result.applied).filter((name) => !name.startsWith('platform/'));
    assert.deepEqual(applied, Object.keys(second));
    assert.deepEqual((await migrate('once', second)).applied, []);
  });

  it('that were changed after they ran are refused', async () => {
    await migrate('changed', first);
    const edited = { '202611210900_create_a.sql': '-- kiln: additive\ncreate table a (id bigint);' };
    await assert.rejects(migrate('changed', edited), /only go forward/);
  });

  it('that fail leave nothing, and run again once they are right', async () => {
    const broken = { ...first, '202611211000_b.sql': '-- kiln: additive\ncreate table b (id int); select 1/0;' };
    await assert.rejects(migrate('failing', broken), /202611211000_b.sql failed/);
    const { applied } = await migrate('failing', {
      ...first,
      '202611211000_b.sql': '-- kiln: additive\ncreate table b ();',
    });
    assert.deepEqual(applied, ['202611211000_b.sql']);
  });

  it('without a flag or with a wrong name are refused before anything runs', async () => {
    await assert.rejects(migrate('unflagged', { '202611210900_a.sql': 'create table a ();' }), /additive/);
    await assert.rejects(migrate('misnamed', { 'a.sql': '-- kiln: additive\n' }), /are named/);
  });

  it('that are pending keep a service from starting', async () => {
    await migrate('pending', first);
    const database = openSampleDatabase(databaseUrl, { schema: 'pending' });
    try {
      await assert.rejects(assertMigrated(database, migrationsDirectory(second)), /202611211000_create_b.sql/);
      await assertMigrated(database, migrationsDirectory(first));
    } finally {
      await database.close();
    }
  });

  it('give each service a role that cannot read a neighbour', async () => {
    await migrate('mine', first);
    await migrate('theirs', first);
    const database = openSampleDatabase(databaseUrl, { schema: 'mine' });
    try {
      assert.deepEqual(await database.query(statement('own', 'select * from a')), []);
      await assert.rejects(database.query(statement('other', 'select * from theirs.a')), /permission denied/);
    } finally {
      await database.close();
    }
  });
});
