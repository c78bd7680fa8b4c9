// Real: Postgres, and the embedded object store as the bucket of a customer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, REMOVED_NODES_MAX } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

describe('a sync that finds objects gone', () => {
  let kiln: SyncsHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.sql('delete from outbox');
  });
  afterAll(() => kiln.close());

  async function connected(fields: { on_delete?: 'delete' | 'keep' } = {}) {
    const bucket = await newBucket();
    return { ...bucket, connectionId: await kiln.connect(tenantId, { ...bucket.connection, ...fields }) };
  }
  const nodeIds = async (connectionId: string) => {
    const nodes = await kiln.sql<{ id: string; path: string }>(
      'select id, path from nodes where connection_id = $1 and is_file',
      [connectionId],
    );
    return new Map(nodes.map(({ id, path }) => [path, encodeId('node', id)]));
  };
  const announced = async (connectionId: string) => {
    const rows = await kiln.sql<{ data: { connection_id: string; node_ids: string[] } }>(
      `select envelope::jsonb -> 'data' as data from outbox where type = 'nodes.removed' order by sequence`,
    );
    const own = rows.filter(({ data }) => data.connection_id === encodeId('connection', connectionId));
    return own.map(({ data }) => data.node_ids);
  };

  it('announces the nodes of files, and no folders', async () => {
    const { put, objects, connectionId } = await connected();
    await put(['a.txt', 'folder/b.txt', 'c.txt']);
    await kiln.sync(tenantId, connectionId);
    const ids = await nodeIds(connectionId);
    await objects.deleteMany(['a.txt', 'folder/b.txt']);
    await kiln.sync(tenantId, connectionId);
    const [removed = [], ...more] = await announced(connectionId);
    expect([new Set(removed), removed.length, more]).toStrictEqual([
      new Set([ids.get('a.txt'), ids.get('folder/b.txt')]),
      2,
      [],
    ]);
    await kiln.sync(tenantId, connectionId);
    expect(await announced(connectionId)).toHaveLength(1);
  });

  it('announces none if the connection keeps their files', async () => {
    const { put, objects, connectionId } = await connected({ on_delete: 'keep' });
    await put(['a.txt', 'b.txt']);
    await kiln.sync(tenantId, connectionId);
    await objects.deleteMany(['a.txt']);
    const { row } = await kiln.sync(tenantId, connectionId);
    expect([row?.files_deleted, await announced(connectionId)]).toStrictEqual([1, []]);
  });

  it('announces many in events of bounded size, each node once', async () => {
    const { put, objects, connectionId } = await connected();
    const keys = Array.from({ length: REMOVED_NODES_MAX + 1 }, (_, at) => `${at}.txt`);
    await put([...keys, ...keys.map((key) => `kept/${key}`)]);
    await kiln.sync(tenantId, connectionId);
    const ids = await nodeIds(connectionId);
    await objects.deleteMany(keys);
    await kiln.sync(tenantId, connectionId);
    const events = await announced(connectionId);
    expect(events.map((removed) => removed.length)).toStrictEqual([REMOVED_NODES_MAX, 1]);
    expect(new Set(events.flat())).toStrictEqual(new Set(keys.map((key) => ids.get(key))));
  });
});
