// Real: Postgres, and the embedded object store as the bucket of a customer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

describe('an object that returns to a connection that keeps files', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  let connectionId: string;
  let bucket: Awaited<ReturnType<typeof newBucket>>;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    bucket = await newBucket();
    connectionId = await kiln.connect(tenantId, { ...bucket.connection, on_delete: 'keep', auto_process: true });
  });
  afterAll(() => kiln.close());

  /** The counts of the sync: selected for processing, moved. */
  async function sync() {
    const { outcome, row } = await kiln.sync(tenantId, connectionId, true);
    return [outcome, row?.files_queued, row?.files_moved];
  }
  async function ids() {
    const rows = await kiln.sql<{ id: string; path: string }>(
      'select id, path from nodes where connection_id = $1 order by path',
      [connectionId],
    );
    return Object.fromEntries(rows.map(({ id, path }) => [path, id]));
  }

  it('is selected for processing again only if it has changed', async () => {
    await bucket.put(['a.txt', 'b.txt']);
    expect(await sync()).toStrictEqual(['completed', 2, 0]);
    await bucket.objects.deleteMany(['a.txt', 'b.txt']);
    await sync();
    await bucket.put(['a.txt']);
    await bucket.put(['b.txt'], 'other text');
    expect(await sync()).toStrictEqual(['completed', 1, 0]);
  });

  it('is not taken for an equal object that is gone at the same time', async () => {
    await bucket.put(['a.txt', 'b.txt', 'c.txt']);
    await sync();
    const before = await ids();
    await bucket.objects.deleteMany(['a.txt']);
    await sync();
    await bucket.put(['a.txt']);
    await bucket.objects.deleteMany(['b.txt']);
    expect(await sync()).toStrictEqual(['completed', 0, 0]);
    expect(await ids()).toStrictEqual({ 'a.txt': before['a.txt'], 'c.txt': before['c.txt'] });
  });
});
