// Real: Postgres, without autovacuum, with a tenant of 10,000 files beside 5,000 tenants with one file each, and its statistics. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, migrateService } from '@kiln/platform';
import { blocksRead, createTestDatabase, TEST_DATABASE_TIMEOUTS, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { DeletionStore } from '../deletion/deletion.store.js';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { collectStatement } from './file-list-collect.statement.js';
import { FileWithVariantsStore } from './file-with-variants.store.js';
import { FileStore } from './file.store.js';

const FILES = 10_000;
const SMALL_TENANTS = 5_000;
/** After so many executions Postgres makes a plan for any values, if it expects it to be as good. */
const EXECUTIONS = 6;
/** The path through an index, and the row. All entries of the tenant are some hundreds. */
const BLOCKS_MAX = 12;
const DELETION_BLOCKS_MAX = 50;

describe('a file of a large tenant beside many small ones', () => {
  const tenantId = uuidv7();
  let database: Database;
  let ids: string[];
  let close: () => Promise<void>;
  beforeAll(async () => {
    const created = await createTestDatabase();
    await migrateService({ service: 'files', migrations, databaseUrl: created.url });
    const options = {
      url: created.url,
      schema: 'files',
      entities,
      byIndex: true,
      ...TEST_DATABASE_TIMEOUTS,
    };
    // One connection, so that no other reports what it has read before.
    database = await Database.open({ ...options, connectionsMax: 1 }, () => undefined);
    await withoutAutovacuum(database);
    const sql = <Row extends object>(text: string, values?: unknown[]) =>
      database.query<Row>({ name: '', text }, values);
    const insert = (tenants: string) =>
      sql<{ id: string }>(
        `with held as (select tenant, gen_random_uuid() as space, n from ${tenants}),
           spaces as (insert into spaces (tenant_id, id, name) select distinct on (tenant) tenant, space, 'main' from held returning tenant_id, id)
         insert into files (tenant_id, id, space_id, status, filename, size_bytes, metadata)
         select tenant, gen_random_uuid(), s.id, 'completed', n || '.pdf', n, jsonb_build_object('project', (n % 20)::text) from held join spaces s on s.tenant_id = tenant returning id`,
      );
    await insert(`(select gen_random_uuid() as tenant, 1 as n from generate_series(1, ${SMALL_TENANTS})) small`);
    ids = (await insert(`(select '${tenantId}'::uuid as tenant, n from generate_series(1, ${FILES}) n) large`)).map(
      ({ id }) => id,
    );
    await sql('vacuum analyze');
    close = async () => {
      await database.close();
      await created.drop();
    };
  });
  afterAll(() => close());

  /** Blocks of `files` and its indexes, once the plan is for any values. */
  async function blocksOf(work: (id: string) => Promise<unknown>): Promise<number> {
    for (const id of ids.slice(0, EXECUTIONS)) await work(id);
    const blocks = await blocksRead(database, () => work(ids.at(-1) ?? ''));
    return [...blocks].reduce((sum, [source, read]) => (source.startsWith('files') ? sum + read : sum), 0);
  }

  it('is read by its id alone', async () => {
    const [one, files] = [new FileWithVariantsStore(database), new FileStore(database)];
    expect(await blocksOf((id) => one.find(tenantId, id))).toBeLessThan(BLOCKS_MAX);
    expect(await blocksOf((id) => files.findMany(tenantId, [id]))).toBeLessThan(BLOCKS_MAX);
    expect(await blocksOf((id) => files.findExisting(tenantId, [id]))).toBeLessThan(BLOCKS_MAX);
  });

  it('is deleted by its id alone', async () => {
    const deletions = new DeletionStore(database, 3_600);
    const blocks = await blocksOf((id) =>
      deletions.deleteFiles(database, tenantId, { fileIds: [id], isUnseenOnly: true }),
    );
    expect(blocks).toBeLessThan(DELETION_BLOCKS_MAX);
  });

  it('is found by its metadata among 500 without a look-up of each', async () => {
    const query = { tenantId, metadata: { project: '7' }, sortBy: 'created_at', sortOrder: 'desc', limit: 50 } as const;
    const { statement, values } = collectStatement(query);
    const blocks = await blocksOf(() => database.query(statement, values));
    expect(blocks).toBeLessThan(2 * (FILES / 20));
  });
});
