// Real: Postgres, and the embedded object store as the bucket of a customer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, FILE_NODES_PER_CALL_MAX, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, type NewConnection } from '../test/connections-harness.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

type Fields = Partial<Omit<NewConnection, 'provider' | 'credentials'>>;

describe('a sync of a connection with automatic processing', () => {
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

  async function connected(fields: Fields = {}) {
    const bucket = await newBucket();
    const connectionId = await kiln.connect(tenantId, { ...bucket.connection, auto_process: true, ...fields });
    const connection_id = encodeId('connection', connectionId);
    return {
      ...bucket,
      connectionId,
      sync: async () => {
        const { outcome, row } = await kiln.sync(tenantId, connectionId);
        return [outcome, row?.files_queued, row?.files_excluded];
      },
      change: (changes: Fields) =>
        kiln.check.update({ id: connection_id, org_id: kiln.organizationId, ...changes }, contextOf(tenantId)),
      preview: async () => {
        const { queued_files, excluded_files } = await kiln.preview.execute({ connection_id }, contextOf(tenantId));
        return [queued_files, excluded_files];
      },
      selectedOf: (node_ids: string[]) =>
        kiln.openObjects.getSelectedNodes({ connection_id, node_ids }, contextOf(tenantId)),
    };
  }
  const announced = async () => {
    const rows = await kiln.sql<{ ids: string[] }>(
      `select envelope::jsonb -> 'data' -> 'node_ids' as ids from outbox where type = 'nodes.selected' order by sequence`,
    );
    await kiln.sql('delete from outbox');
    return rows.map(({ ids }) => ids);
  };
  const pathsOf = async (nodeIds: readonly string[]) => {
    const ids = nodeIds.map((id) => uuidOf('node', id));
    const rows = await kiln.sql<{ path: string }>('select path from nodes where id = any($1) order by path', [ids]);
    return rows.map(({ path }) => path);
  };
  const selected = async () => pathsOf((await announced()).flat());

  it('announces new and changed objects that the rules select, each version once, as the preview says', async () => {
    const { put, sync, preview } = await connected({ include: ['*.txt'], exclude: ['drafts/**'] });
    await put(['a.txt', 'b/c.txt', 'drafts/d.txt', 'e.bin']);
    expect(await preview()).toStrictEqual([2, 2]);
    expect(await sync()).toStrictEqual(['completed', 2, 2]);
    expect(await selected()).toStrictEqual(['a.txt', 'b/c.txt']);
    expect([await preview(), await sync(), await selected()]).toStrictEqual([[0, 2], ['completed', 0, 2], []]);
    await put(['a.txt', 'drafts/d.txt'], 'other text');
    expect([await preview(), await sync()]).toStrictEqual([
      [1, 2],
      ['completed', 1, 2],
    ]);
    expect(await selected()).toStrictEqual(['a.txt']);
  });

  it('says in each node which rule leaves it out, until a sync finds that none does', async () => {
    const { put, sync, change, connectionId } = await connected({ include: ['*.pdf'], min_size: 5 });
    await put(['a.txt', 'b.pdf']);
    await sync();
    const rules = async () => {
      const query = { connection_id: encodeId('connection', connectionId), limit: 10 };
      const { nodes } = await kiln.manageNodes.list(query, contextOf(tenantId));
      return Object.fromEntries(nodes.map(({ name, excluded_by }) => [name, excluded_by]));
    };
    expect([await rules(), await announced()]).toStrictEqual([{ 'a.txt': 'include', 'b.pdf': 'min_size' }, []]);
    const { include, min_size, max_size } = await change({ include: [] });
    expect([include, min_size, max_size]).toStrictEqual([[], 5, null]);
    await change({ min_size: null });
    expect(await sync()).toStrictEqual(['completed', 2, 0]);
    expect([await rules(), await selected()]).toStrictEqual([{ 'a.txt': null, 'b.pdf': null }, ['a.txt', 'b.pdf']]);
  });

  it('announces nothing while it is off, and everything that is selected once it is on', async () => {
    const { put, sync, change, preview } = await connected({ auto_process: false, exclude: ['b.txt'] });
    await put(['a.txt', 'b.txt']);
    expect([await preview(), await sync(), await selected()]).toStrictEqual([[0, 1], ['completed', 0, 1], []]);
    await change({ auto_process: true });
    expect([await sync(), await selected()]).toStrictEqual([['completed', 1, 1], ['a.txt']]);
  });

  it('does not announce changed objects when it ignores changes, and announces them when it no longer does', async () => {
    const { put, sync, change, preview } = await connected({ on_change: 'ignore' });
    await put(['a.txt']);
    expect([await sync(), await selected()]).toStrictEqual([['completed', 1, 0], ['a.txt']]);
    await put(['a.txt', 'b.txt'], 'other text');
    expect([await preview(), await sync(), await selected()]).toStrictEqual([[1, 0], ['completed', 1, 0], ['b.txt']]);
    await change({ on_change: 'reprocess' });
    expect([await preview(), await sync(), await selected()]).toStrictEqual([[1, 0], ['completed', 1, 0], ['a.txt']]);
  });

  it('announces many in events of bounded size, each node once', async () => {
    const { put, sync } = await connected();
    const keys = Array.from({ length: FILE_NODES_PER_CALL_MAX + 1 }, (_, at) => `${at}.txt`);
    await put(keys);
    expect(await sync()).toStrictEqual(['completed', keys.length, 0]);
    const events = await announced();
    expect(events.map((ids) => ids.length)).toStrictEqual([FILE_NODES_PER_CALL_MAX, 1]);
    expect(await pathsOf(events.flat())).toStrictEqual(keys.toSorted());
  });

  it('announces nothing with a lease that is lost', async () => {
    const { put, connectionId } = await connected();
    await put(['a.txt']);
    await kiln.begin(tenantId, connectionId);
    const claimed = await kiln.claimOne();
    kiln.access.onPage = () => kiln.syncs.cancel(tenantId, connectionId).then(() => undefined);
    expect(await kiln.runSync.execute(claimed, new AbortController().signal)).toBe('lost');
    kiln.access.onPage = () => undefined;
    expect(await selected()).toStrictEqual([]);
  });

  it('gives the files service the nodes that are still selected, and none once it is off', async () => {
    const { put, sync, change, selectedOf } = await connected({
      on_change: 'ignore',
      pages_limit: 7,
      space: 'mirror',
    });
    await put(['a.txt', 'b.txt']);
    await sync();
    const ids = (await announced()).flat();
    await kiln.sql(`update nodes set excluded_by = 'include' where path = 'b.txt'`);
    const { nodes, ...rest } = await selectedOf(ids);
    expect(nodes.map(({ path, space }) => [path, space])).toStrictEqual([['a.txt', 'mirror']]);
    expect(rest).toStrictEqual({ rest: [], on_change: 'ignore', pages_limit: 7 });
    await change({ auto_process: false });
    expect((await selectedOf(ids)).nodes).toStrictEqual([]);
  });

  it('announces nodes again that the files service has dropped while it was off', async () => {
    const { put, sync, change, selectedOf } = await connected();
    await put(['a.txt', 'b.txt']);
    await sync();
    const ids = (await announced()).flat();
    await change({ auto_process: false });
    expect((await selectedOf(ids.slice(0, 1))).nodes).toStrictEqual([]);
    await change({ auto_process: true });
    expect([await sync(), await announced()]).toStrictEqual([['completed', 1, 0], [ids.slice(0, 1)]]);
    expect([await sync(), await announced()]).toStrictEqual([['completed', 0, 0], []]);
  });

  it('announces a node again that the files service has dropped while a rule left it out, and no other', async () => {
    const { put, sync, change, selectedOf } = await connected({ exclude: [] });
    await put(['a.txt', 'b.txt']);
    await sync();
    const ids = (await announced()).flat();
    await change({ exclude: ['b.txt'] });
    await sync();
    const [kept] = (await selectedOf(ids)).nodes;
    expect(kept?.path).toBe('a.txt');
    await change({ exclude: [] });
    expect(await sync()).toStrictEqual(['completed', 1, 0]);
    expect(await announced()).toStrictEqual([ids.filter((id) => id !== kept?.node_id)]);
  });

  it('announces a node again that the files service has dropped while its object was archived', async () => {
    const { put, sync, selectedOf } = await connected();
    await put(['a.txt']);
    await sync();
    const ids = (await announced()).flat();
    await kiln.sql(`update nodes set archived_in = 'GLACIER' where tenant_id = $1`, [tenantId]);
    expect((await selectedOf(ids)).nodes).toStrictEqual([]);
    expect([await sync(), await announced()]).toStrictEqual([['completed', 1, 0], [ids]]);
  });

  it('announces a node again that the files service has dropped while its object was gone', async () => {
    const { put, objects, sync, selectedOf } = await connected({ on_delete: 'keep' });
    await put(['a.txt', 'b.txt']);
    await sync();
    const ids = (await announced()).flat();
    await objects.deleteMany(['a.txt']);
    await sync();
    const left = (await selectedOf(ids)).nodes.map(({ node_id: id }) => id);
    await put(['a.txt']);
    expect([await sync(), await announced()]).toStrictEqual([
      ['completed', 1, 0],
      [ids.filter((id) => !left.includes(id))],
    ]);
  });

  it('refuses rules that no size satisfies', async () => {
    const { change } = await connected();
    const refused = { code: 'BAD_REQUEST', message: expect.stringMatching(/max_size/) };
    await expect(change({ min_size: 2, max_size: 1 })).rejects.toMatchObject(refused);
    await change({ max_size: 1 });
    await expect(change({ min_size: 2 })).rejects.toMatchObject(refused);
    expect(await change({ min_size: 2, max_size: null })).toMatchObject({ min_size: 2, max_size: null });
  });
});
