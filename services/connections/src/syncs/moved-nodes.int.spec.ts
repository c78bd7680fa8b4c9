// Real: Postgres, and the embedded object store as the bucket of a customer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeId, MOVED_NODES_MAX } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

describe('the node of an object', () => {
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

  async function connected(fields: { on_delete?: 'delete' | 'keep'; auto_process?: boolean } = {}) {
    const { objects, put, connection } = await newBucket();
    const connectionId = await kiln.connect(tenantId, { ...connection, ...fields });
    return {
      connectionId,
      objects,
      put,
      sync: async (force = true) => {
        const { outcome, row } = await kiln.sync(tenantId, connectionId, force);
        return [outcome, row?.files_added, row?.files_deleted, row?.files_moved];
      },
      /** The ids of the files by path. */
      ids: async () => {
        const rows = await kiln.sql<{ id: string; path: string }>(
          'select id, path from nodes where connection_id = $1 and is_file order by path',
          [connectionId],
        );
        return new Map(rows.map(({ id, path }) => [path, id]));
      },
    };
  }
  /** Runs a sync that is cancelled before it has concluded its removals. */
  async function cancelledAfterRemoval(connectionId: string): Promise<void> {
    await kiln.begin(tenantId, connectionId, true);
    const claimed = await kiln.claimOne();
    const remove = kiln.unlistedNodes.remove.bind(kiln.unlistedNodes);
    kiln.unlistedNodes.remove = async (...values) => {
      await remove(...values);
      await kiln.syncs.cancel(tenantId, connectionId);
      return 'lost';
    };
    expect(await kiln.runSync.execute(claimed, new AbortController().signal)).toBe('lost');
    kiln.unlistedNodes.remove = remove;
  }
  const happened = async (type: string) => {
    const rows = await kiln.sql<{ data: Record<string, unknown> }>(
      `select envelope::jsonb -> 'data' as data from outbox where type = $1 order by sequence`,
      [type],
    );
    return rows.map(({ data }) => data);
  };
  const moves = async () =>
    (await happened('nodes.moved')).flatMap(({ nodes }) => nodes as { node_id: string; path: string }[]);

  it('is the same after the object was gone, if the connection keeps files', async () => {
    const { put, objects, sync, ids } = await connected({ on_delete: 'keep' });
    await put(['a.txt', 'b.txt']);
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt']);
    expect(await sync()).toStrictEqual(['completed', 0, 1, 0]);
    await sync();
    await put(['a.txt'], 'other text');
    expect(await sync()).toStrictEqual(['completed', 1, 0, 0]);
    expect(await ids()).toStrictEqual(before);
  });

  it('is another one after the object was gone, if its file was deleted', async () => {
    const { put, objects, sync, ids } = await connected();
    await put(['a.txt', 'b.txt']);
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt']);
    await sync();
    await put(['a.txt']);
    await sync();
    const after = await ids();
    expect(after.get('b.txt')).toBe(before.get('b.txt'));
    expect(after.get('a.txt')).not.toBe(before.get('a.txt'));
  });

  it('is the same when the object returns before its removal was announced, and then it is not announced', async () => {
    const { put, objects, sync, ids, connectionId } = await connected();
    await put(['a.txt', 'b.txt']);
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt']);
    await cancelledAfterRemoval(connectionId);
    expect([...(await ids()).keys()]).toStrictEqual(['b.txt']);
    await put(['a.txt']);
    await sync();
    expect([await ids(), await happened('nodes.removed')]).toStrictEqual([before, []]);
  });

  it('is the same under another key, and is neither announced as removed nor selected again', async () => {
    const { put, objects, sync, ids } = await connected({ auto_process: true });
    await put(['a/one.txt'], 'one');
    await put(['a/two.txt'], 'two');
    await put(['kept.txt'], 'kept');
    await sync();
    const before = await ids();
    await kiln.sql('delete from outbox');
    await objects.deleteMany(['a/one.txt', 'a/two.txt']);
    await put(['b/1.txt'], 'one');
    await put(['b/two.txt'], 'two');
    expect(await sync()).toStrictEqual(['completed', 0, 0, 2]);
    const after = await ids();
    expect([...after.keys()]).toStrictEqual(['b/1.txt', 'b/two.txt', 'kept.txt']);
    expect([after.get('b/1.txt'), after.get('b/two.txt')]).toStrictEqual([
      before.get('a/one.txt'),
      before.get('a/two.txt'),
    ]);
    expect(new Set(await moves())).toStrictEqual(
      new Set([
        { node_id: encodeId('node', after.get('b/1.txt') ?? ''), path: 'b/1.txt', name: '1.txt' },
        { node_id: encodeId('node', after.get('b/two.txt') ?? ''), path: 'b/two.txt', name: 'two.txt' },
      ]),
    );
    expect([await happened('nodes.removed'), await happened('nodes.selected')]).toStrictEqual([[], []]);
    expect(await sync()).toStrictEqual(['completed', 0, 0, 0]);
    expect(await ids()).toStrictEqual(after);
  });

  it('is the same under another key after the sync that found the key was cancelled', async () => {
    const { put, objects, sync, ids, connectionId } = await connected();
    await put(['a.txt'], 'moved');
    await put(['kept.txt'], 'kept');
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt']);
    await put(['b.txt'], 'moved');
    await cancelledAfterRemoval(connectionId);
    expect(await sync()).toStrictEqual(['completed', 0, 0, 1]);
    expect((await ids()).get('b.txt')).toBe(before.get('a.txt'));
  });

  it('is used once, however many objects are equal', async () => {
    const { put, objects, sync, ids } = await connected();
    await put(['a.txt', 'b.txt', 'c.txt', 'kept.txt'], 'equal');
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt', 'b.txt', 'c.txt']);
    await put(['d.txt', 'e.txt'], 'equal');
    expect(await sync()).toStrictEqual(['completed', 0, 1, 2]);
    const after = await ids();
    const former = ['a.txt', 'b.txt', 'c.txt'].map((path) => before.get(path));
    const now = ['d.txt', 'e.txt'].map((path) => after.get(path));
    expect([new Set(now).size, now.filter((id) => !former.includes(id))]).toStrictEqual([2, []]);
    const [removed, ...more] = await happened('nodes.removed');
    const gone = former.filter((id) => !now.includes(id)).map((id) => encodeId('node', id ?? ''));
    expect([removed?.['node_ids'], more]).toStrictEqual([gone, []]);
  });

  it('stays with its object when that was copied; the copy is new', async () => {
    const { put, sync, ids } = await connected();
    await put(['a.txt'], 'text');
    await sync();
    const before = await ids();
    await put(['copy.txt'], 'text');
    expect(await sync()).toStrictEqual(['completed', 1, 0, 0]);
    expect([(await ids()).get('a.txt'), await moves()]).toStrictEqual([before.get('a.txt'), []]);
  });

  it('stays with an object that a completed sync has found, when an equal one is gone', async () => {
    const { sync, ids, objects, put } = await connected();
    await put(['a.txt', 'copy.txt'], 'equal');
    await sync();
    const before = await ids();
    await objects.deleteMany(['a.txt']);
    expect(await sync()).toStrictEqual(['completed', 0, 1, 0]);
    expect((await ids()).get('copy.txt')).toBe(before.get('copy.txt'));
  });

  it('is announced with those of many moved objects in events of bounded size, each once', async () => {
    const { put, objects, sync, ids } = await connected();
    const names = Array.from({ length: MOVED_NODES_MAX + 1 }, (_, at) => `${at}.txt`);
    for (const name of names) await put([`a/${name}`], `text of ${name}`);
    await sync();
    const before = await ids();
    await objects.deleteMany(names.map((name) => `a/${name}`));
    for (const name of names) await put([`b/${name}`], `text of ${name}`);
    expect(await sync()).toStrictEqual(['completed', 0, 0, names.length]);
    const events = await happened('nodes.moved');
    expect(events.map(({ nodes }) => (nodes as unknown[]).length)).toStrictEqual([MOVED_NODES_MAX, 1]);
    const after = await ids();
    expect(names.filter((name) => after.get(`b/${name}`) !== before.get(`a/${name}`))).toStrictEqual([]);
  });

  describe('of a folder whose renaming needs force', () => {
    const names = Array.from({ length: 30 }, (_, at) => `${at}.txt`);
    const renamed = names.slice(0, 25);

    /** The owner renames most of a folder, and a sync without force has found the new keys and failed. */
    async function refused(fields: { on_delete?: 'delete' | 'keep' } = {}) {
      const connection = await connected({ auto_process: true, ...fields });
      const { put, objects, sync, ids } = connection;
      for (const name of names) await put([`a/${name}`], `text of ${name}`);
      await sync(false);
      const before = await ids();
      await kiln.sql('delete from outbox');
      await objects.deleteMany(renamed.map((name) => `a/${name}`));
      for (const name of renamed) await put([`b/${name}`], `text of ${name}`);
      expect(await sync(false)).toStrictEqual(['failed', renamed.length, 0, 0]);
      const failed = await kiln.syncs.newest(tenantId, connection.connectionId);
      expect(failed?.error_code).toBe('too_many_deletions');
      return { ...connection, before, between: await ids() };
    }
    const idsAt = (nodes: ReadonlyMap<string, string>, folder: string) =>
      renamed.map((name) => nodes.get(`${folder}/${name}`) ?? '');
    const removedIds = async () => (await happened('nodes.removed')).flatMap(({ node_ids: ids }) => ids as string[]);
    const publicIds = (ids: readonly string[]) => ids.map((id) => encodeId('node', id));

    it('is the same after a sync with force, and is not selected again', async () => {
      const { sync, ids, before } = await refused();
      expect(await sync()).toStrictEqual(['completed', 0, 0, renamed.length]);
      expect(idsAt(await ids(), 'b')).toStrictEqual(idsAt(before, 'a'));
      expect(await happened('nodes.selected')).toStrictEqual([]);
      expect((await moves()).map(({ node_id: id }) => id).toSorted()).toStrictEqual(
        publicIds(idsAt(before, 'a')).toSorted(),
      );
    });

    it('takes the place of the one that the refused sync has made, whose file is deleted if a caller has made one', async () => {
      const { sync, before, between } = await refused();
      await sync();
      const removed = await removedIds();
      expect(removed.toSorted()).toStrictEqual(publicIds(idsAt(between, 'b')).toSorted());
      expect(publicIds([...before.values()]).filter((id) => removed.includes(id))).toStrictEqual([]);
    });

    it('takes the place of that one without deleting a file, if the connection keeps files', async () => {
      const { sync, ids, before } = await refused({ on_delete: 'keep' });
      expect(await sync()).toStrictEqual(['completed', 0, 0, renamed.length]);
      expect([idsAt(await ids(), 'b'), await removedIds()]).toStrictEqual([idsAt(before, 'a'), []]);
    });

    it('is the same however many syncs were cancelled meanwhile', async () => {
      const { sync, ids, before, connectionId } = await refused();
      for (let cancelled = 0; cancelled < 3; cancelled += 1) {
        await kiln.begin(tenantId, connectionId);
        await kiln.syncs.cancel(tenantId, connectionId);
      }
      expect(await sync()).toStrictEqual(['completed', 0, 0, renamed.length]);
      expect(idsAt(await ids(), 'b')).toStrictEqual(idsAt(before, 'a'));
    });

    it('is not given to a node that was selected meanwhile, which keeps its file', async () => {
      const { sync, ids, between } = await refused();
      const path = 'b/0.txt';
      // As a notification selects it.
      await kiln.sql(
        `update nodes set selected_version = etag || '/' || size_bytes where tenant_id = $1 and path = $2`,
        [tenantId, path],
      );
      expect(await sync()).toStrictEqual(['completed', 0, 1, renamed.length - 1]);
      expect((await ids()).get(path)).toBe(between.get(path));
    });
  });
});
