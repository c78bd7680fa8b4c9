// Real: Postgres. Faked: nothing.
import { expect, it } from '@jest/globals';
import { Database, migrateService } from '@kiln/platform';
import { createTestDatabase, schemaDifferences, TEST_DATABASE_TIMEOUTS } from '@kiln/testing';
import { entities } from '../entities.js';
import { migrations } from './index.js';

it('the entities agree with the migrated schema', async () => {
  const created = await createTestDatabase();
  const { url } = created;
  await migrateService({ service: 'gateway', migrations, databaseUrl: url });
  const options = { url, schema: 'gateway', entities, migrations, connectionsMax: 2, ...TEST_DATABASE_TIMEOUTS };
  const database = await Database.open(options, () => undefined);
  try {
    expect(await schemaDifferences(database.dataSource)).toStrictEqual([]);
  } finally {
    await database.close();
    await created.drop();
  }
});
