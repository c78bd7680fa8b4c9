// Real: Postgres, without autovacuum, with a tenant of 10,000 files beside 5,000 tenants with one file each, and its statistics. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, migrateService, type Statement } from '@kiln/platform';
import { blocksRead, createTestDatabase, TEST_DATABASE_TIMEOUTS, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { readNumbered } from './match.statements.js';
import { readIdsInOrder } from './rank.store.js';

/** The path through an index, and the row. All entries of the tenant are thousands. */
const BLOCKS_MAX = 12;

describe('the files of a large tenant beside many small ones', () => {
  const tenantId = uuidv7();
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const created = await createTestDatabase();
    await migrateService({ service: 'search', migrations, databaseUrl: created.url });
    const options = {
      url: created.url,
      schema: 'search',
      entities,
      lookUps: true,
      ...TEST_DATABASE_TIMEOUTS,
    };
    // One connection, so that no other reports what it has read before.
    database = await Database.open({ ...options, connectionsMax: 1 }, () => undefined);
    await withoutAutovacuum(database);
    const insert = (rows: string) =>
      database.query({
        name: '',
        text: `insert into files (tenant_id, file_id, job_number, fence, chunks, first_number, language)
               select tenant, gen_random_uuid(), 1, 1, 4, n * 5, 'english' from ${rows}`,
      });
    await insert('(select gen_random_uuid() as tenant, 1 as n from generate_series(1, 5000)) small');
    await insert(`(select '${tenantId}'::uuid as tenant, n from generate_series(1, 10000) n) large`);
    await database.query({ name: '', text: 'vacuum analyze files' });
    close = async () => {
      await database.close();
      await created.drop();
    };
  });
  afterAll(() => close());

  async function blocksOf(statement: Statement): Promise<number> {
    const blocks = await blocksRead(database, () => database.query(statement, [tenantId, [500]]));
    return [...blocks].reduce((sum, [source, read]) => (source.startsWith('files') ? sum + read : sum), 0);
  }

  it('are found by the numbers of their passages alone', async () => {
    expect(await blocksOf(readNumbered)).toBeLessThan(BLOCKS_MAX);
    expect(await blocksOf(readIdsInOrder)).toBeLessThan(BLOCKS_MAX);
  });
});
