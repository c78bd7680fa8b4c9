// Real: Postgres, without autovacuum, whose reads would be counted. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksRead, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';

const FILES = 5_000;
/** The number of pages of one table or index. The files fill more than 50. */
const BLOCKS_MAX = 30;

describe(`a batch of ${FILES.toLocaleString('en')} files`, () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
    await withoutAutovacuum(kiln.database);
  });
  afterAll(() => kiln.close());

  it('is read in a bounded number of blocks, whatever statistics there are', async () => {
    const [tenantId, batchId] = [uuidv7(), uuidv7()];
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename)
       select $1, gen_random_uuid(), $2, 'processing', 'a' from generate_series(1, $3::int)`,
      [tenantId, await kiln.spaceId(tenantId, 'default'), FILES],
    );
    const files = await kiln.sql<{ id: string }>('select id from files where tenant_id = $1', [tenantId]);
    const fileIds = files.map(({ id }) => id);
    await kiln.batches.add(kiln.database, { tenantId, batchId }, fileIds);
    for (const statistics of ['none', 'fresh']) {
      if (statistics === 'fresh') await kiln.sql('analyze');
      const blocks = await blocksRead(kiln.database, async () => {
        expect(await kiln.batches.find(tenantId, batchId, 5)).toMatchObject({ total: FILES, completed: 0 });
      });
      expect([...blocks].filter(([, read]) => read > BLOCKS_MAX)).toStrictEqual([]);
    }
  });
});
